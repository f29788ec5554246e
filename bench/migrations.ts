import { rm } from 'node:fs/promises';
import { connectDatabase, migrate } from '../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../src/server.ts';
import { copyMigrations } from '../test/harness/migrations-up-to.ts';
import { defineReport } from './frame/define-report.ts';
import type { Frame } from './frame/frame.ts';
import { fillOldDatabase } from './migrations/fill.ts';
import { type LockTimes, watchLocks } from './migrations/watch-locks.ts';

const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const QUICK_ORDERS = 20_000;
const OLDEST = '0027_fleet_changes.sql';
const MAX_HELD_MS = 1_000;
const LONG_MS = 3_600_000;
const LIMITS = {
  waitMs: LONG_MS,
  connectMs: 30_000,
  statementMs: LONG_MS,
  lockMs: LONG_MS,
  idleInTransactionMs: LONG_MS,
};

type Row = LockTimes & { name: string; seconds: number };

/**
 * Upgrades a database of an earlier release, with a million orders and a writer on it, and reports the time and the longest lock of each
 * migration. `BENCH_ORIGINALS=yes` runs the files as they were released, without their replacements, for comparison.
 */
export default defineReport('migrations', async ({ quick }, onProgress, open) => {
  const orders = quick ? QUICK_ORDERS : ORDERS;
  const frame = await open();
  const server = await frame.startServer();
  const sql = connectDatabase(await server.makeDatabase(), { poolSize: 6, applicationName: 'bench', limits: LIMITS });
  frame.atEnd(() => sql.end({ timeout: 1 }));
  await migrate(sql, await folderOf((name) => name <= OLDEST, frame));
  await fillOldDatabase(sql, orders, onProgress);

  const folder = process.env.BENCH_ORIGINALS === 'yes' ? await folderOf(() => true, frame) : MIGRATIONS_FOLDER;
  const rows: Row[] = [];
  const watch = watchLocks(sql);
  try {
    await migrate(sql, folder, {
      onProgress({ state, name, elapsedMs }) {
        onProgress(`${name}, ${Math.round(elapsedMs / 1_000)} s`);
        if (state === 'applied') rows.push({ name, seconds: elapsedMs / 1_000, ...watch.take() });
      },
    });
  } finally {
    await watch.end();
  }
  const misses = rows
    .filter(({ heldMs, stallMs }) => Math.max(heldMs, stallMs) > MAX_HELD_MS)
    .map(
      ({ name, heldMs, stallMs }) =>
        `${name}: held ${Math.round(heldMs)} ms, a writer waited ${Math.round(stallMs)} ms`,
    );
  return { text: formatRows(rows, orders), figures: { orders, migrations: rows }, misses };
});

async function folderOf(isChosen: (name: string) => boolean, frame: Frame): Promise<string> {
  const folder = await copyMigrations(isChosen);
  frame.atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function formatRows(rows: Row[], orders: number): string {
  const lines = rows.map(({ name, seconds, heldMs, waitedMs, stallMs, writes }) =>
    [
      name.padEnd(38),
      seconds.toFixed(2).padStart(9),
      ...[heldMs, waitedMs, stallMs].map((ms) => String(Math.round(ms)).padStart(9)),
      String(writes).padStart(7),
    ].join(' '),
  );
  const head = `${'migration'.padEnd(38)}   seconds   held ms  waits ms  stall ms  writes`;
  return [
    `${orders.toLocaleString('en')} orders; longest lock on orders that stops writers (held, waited for), longest write`,
    head,
    ...lines,
  ].join('\n');
}
