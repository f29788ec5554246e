import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Bench, Measured, Pace } from './define-bench.ts';
import type { Row } from './figures.ts';

const FOLDER = new URL('../results/', import.meta.url);

/** Kept in the repository, so nothing in it tells whose machine it was. */
export async function writeResults(bench: Bench, pace: Pace, rows: Row[], measured: Measured): Promise<void> {
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
  await mkdir(FOLDER, { recursive: true });
  await writeFile(new URL(`${bench.name}.json`, FOLDER), `${JSON.stringify(results, roundFigures, 2)}\n`);
}

function roundFigures(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
