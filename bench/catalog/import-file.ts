import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importProducts } from '../../src/cli/import-products.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { writeCsv } from './made-products.ts';

const SAMPLE_EVERY_MS = 50;

/** Fills a shop from a CSV file, as the command does, and says how fast that was and how much memory it took at most. */
export async function importFile(sql: Sql, organizationId: string, rows: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-bench-csv-'));
  const file = path.join(folder, `${rows}.csv`);
  await writeCsv(file, rows);
  let peakMb = 0;
  const sampler = setInterval(() => {
    peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1024 / 1024);
  }, SAMPLE_EVERY_MS);
  const startMs = performance.now();
  try {
    const given = { file, organizationId, report: undefined, fromLine: 1, ignoreUnknownColumns: false };
    const { succeeded } = await importProducts({ sql, clock: systemClock() }, given, { write: () => undefined });
    const seconds = (performance.now() - startMs) / 1000;
    console.log(
      `CSV import: ${succeeded} of ${rows} rows, ${Math.round(rows / seconds)} a second, ${Math.round(peakMb)} MB at most`,
    );
  } finally {
    clearInterval(sampler);
    await rm(folder, { recursive: true, force: true });
  }
}
