import type { Pace } from './define-bench.ts';
import type { Frame } from './frame.ts';

/** An entry with a table and figures of its own shape. */
export type Report = {
  name: string;
  report(options: ReportOptions, onProgress: (text: string) => void, open: () => Promise<Frame>): Promise<Reported>;
};

export type ReportOptions = {
  /** A sample, to see that it works. */
  quick: boolean;
  /** Folder of the data to measure on; absent: the entry's own. */
  data: string | undefined;
  only: string | undefined;
  profile: string | undefined;
  /** Adds the statements of PostgreSQL that cost most. */
  statements: boolean;
  paceOf(pace: Pace): Pace;
};

export type Reported = {
  text: string;
  figures: object;
  /** In words, what was missed. */
  misses: string[];
  /** In words, what fails the command even without `--check`, unless the figures are saved as the new ones. */
  failures?: string[];
};

export function defineReport(name: string, report: Report['report']): Report {
  return { name, report };
}
