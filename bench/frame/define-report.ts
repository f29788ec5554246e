import type { CleanUp } from './clean-up.ts';

/** An entry that measures without a service: what it finds is a table and figures of its own shape. */
export type Report = {
  name: string;
  /** Everything that is started is added to `cleanUp`, which runs at the end, also on a signal. */
  report(options: ReportOptions, onProgress: (text: string) => void, cleanUp: CleanUp): Promise<Reported>;
};

export type ReportOptions = {
  /** A sample, to see that it works. */
  quick: boolean;
  /** Folder of the data to measure on; absent: the entry's own. */
  data: string | undefined;
};

export type Reported = {
  text: string;
  figures: object;
  /** In words, what was missed. */
  misses: string[];
};

export function defineReport(name: string, report: Report['report']): Report {
  return { name, report };
}
