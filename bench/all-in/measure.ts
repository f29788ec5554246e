import type { Sql } from '../../src/platform/database/index.ts';
import type { BenchProcess } from '../frame/start-process.ts';
import type { Measurement } from './figures.ts';
import type { PostgresCpu } from './postgres-cpu.ts';
import type { Wal } from './wal.ts';

export type Meters = { server: Sql; cpu: PostgresCpu | undefined; wal: Wal };

export type Work = { orders: number; perSecond: number; failed: number; firstFailure?: string; generatorCpu?: number };

export type Writer = {
  /** In the database that it writes to. */
  sql: Sql;
  /** Absent for a writer that is not Node. */
  process?: BenchProcess;
  work(seconds: number): Promise<Work>;
  /** Resolves when all that follows the orders is done. */
  catchUp?(orders: number): Promise<void>;
  /** After that, before anything else uses the server. */
  onCaughtUp?(orders: number): Promise<void>;
};

/**
 * Begins after a checkpoint, so that page images are part of the WAL, and ends when everything that follows the orders is done.
 */
export async function measureWriter(meters: Meters, writer: Writer, seconds: number): Promise<Measurement> {
  await checkpoint(meters.server);
  const before = await read(meters, writer);
  const { orders, perSecond, failed, firstFailure, generatorCpu } = await writer.work(seconds);
  const answeredMs = performance.now();
  await writer.catchUp?.(orders);
  const catchUpMs = writer.catchUp === undefined ? 0 : performance.now() - answeredMs;
  const after = await read(meters, writer);
  await writer.onCaughtUp?.(orders);
  const wal = await meters.wal.between(before.wal, after.wal);
  const vacuumFromMs = await meters.cpu?.readMs();
  await vacuumWritten(writer.sql);
  const vacuumToMs = await meters.cpu?.readMs();
  await writer.sql`analyze`;
  const usEach = (fromMs: number | undefined, toMs: number | undefined) =>
    fromMs === undefined || toMs === undefined ? undefined : ((toMs - fromMs) * 1000) / orders;
  return {
    orders,
    failed,
    ...(firstFailure === undefined ? {} : { firstFailure }),
    answeredPerSecond: perSecond,
    settledPerSecond: orders / (orders / perSecond + catchUpMs / 1000),
    nodeCpuUs: usEach(before.nodeCpuMs, after.nodeCpuMs),
    postgresCpuUs: usEach(before.postgresCpuMs, after.postgresCpuMs),
    vacuumCpuUs: usEach(vacuumFromMs, vacuumToMs),
    walBytes: wal.bytes / orders,
    walBytesWithoutImages: wal.withoutImages / orders,
    diskBytes: (after.diskBytes - before.diskBytes) / orders,
    generatorCpu,
  };
}

async function read({ cpu, wal }: Meters, { sql, process }: Writer) {
  const [size] = await sql<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`;
  return {
    diskBytes: Number(size?.bytes ?? 0),
    wal: await wal.read(),
    nodeCpuMs: process === undefined ? undefined : (await process.readUsage()).cpuMs,
    postgresCpuMs: await cpu?.readMs(),
  };
}

async function checkpoint(sql: Sql): Promise<void> {
  // The account of a server that was given may not be allowed to.
  await sql`checkpoint`.catch(() => undefined);
}

const CHANGED_ROWS = 1_000;

/**
 * Autovacuum would clean up after one writer while the next is measured. Only tables that were written to: a vacuum of a hundred
 * unchanged tables costs more than that of the changed ones. Statistics are collected apart: their cost does not depend on how many
 * orders were written.
 */
async function vacuumWritten(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where n_dead_tup > ${CHANGED_ROWS} or n_ins_since_vacuum > ${CHANGED_ROWS}`;
  if (tables.length > 0) await sql.unsafe(`vacuum ${tables.map(({ name }) => name).join(', ')}`);
}
