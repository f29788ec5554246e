import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Bench, Measured, Pace } from './define-bench.ts';
import type { Row } from './figures.ts';

const RESULTS = new URL('../results/', import.meta.url);

/**
 * Resolves to where they were written: beside those of the repository, which git does not see, so that a trial run changes
 * no tracked file; or in their place. They contain nothing about the machine's owner.
 */
export async function writeResults(
  bench: Bench,
  pace: Pace,
  rows: Row[],
  measured: Measured,
  { save, results: all = RESULTS }: { save: boolean; results?: URL },
): Promise<string> {
  const results = {
    name: bench.name,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    rounds: pace.rounds,
    seconds: pace.seconds,
    cases: rows.map((row) => ({
      ...row,
      rounds: (measured.samples.get(row.name) ?? []).map(({ firstFailure: _, ...sample }) => sample),
    })),
    memoryMbAfterEachRound: measured.memoryMb,
  };
  return await writeFigures(bench.name, results, { save, results: all });
}

/** A report's figures, in the shape it gave them. */
export async function writeReport(name: string, figures: object, { save }: { save: boolean }): Promise<string> {
  const results = { name, date: new Date().toISOString().slice(0, 10), node: process.version, ...figures };
  return await writeFigures(name, results, { save, results: RESULTS });
}

async function writeFigures(
  name: string,
  figures: object,
  { save, results }: { save: boolean; results: URL },
): Promise<string> {
  const folder = save ? results : new URL('latest/', results);
  await mkdir(folder, { recursive: true });
  const file = new URL(`${name}.json`, folder);
  await writeFile(file, formatFigures(figures));
  return fileURLToPath(file);
}

export function formatFigures(figures: object): string {
  return `${JSON.stringify(figures, roundFigures, 2)}\n`;
}

function roundFigures(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
