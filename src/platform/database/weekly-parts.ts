import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Sql } from './connect.ts';
import { inTransaction } from './transaction.ts';

/**
 * Weekly partitions, so that retention drops a table instead of deleting rows. Weekly rather than daily: a reader without a cursor
 * scans every partition, and six are cheaper than thirty-one.
 */
export const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday; weeks here begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * `fillPercent` is how full a page is made at first: less than 100 where rows are rewritten in place. Rows that are never changed
 * (`insertOnly`) need no vacuum before their partition is dropped, and without one the planner never takes a partition for empty: a
 * plan that was cached then would scan it for every row.
 */
export type WeeklyTable = { name: string; fillPercent: number; insertOnly?: true };

export function weekStart(instant: Date): Date {
  return new Date(Math.floor((instant.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS);
}

/** Partitions of this week and the next, so that the next exists before midnight on Sunday. */
export async function ensureWeeks(sql: Sql, table: WeeklyTable, now: Date): Promise<void> {
  for (const start of [weekStart(now), new Date(weekStart(now).getTime() + WEEK_MS)]) {
    const name = partitionName(table, start);
    const [found] = await sql<{ present: boolean }[]>`select to_regclass(${name}) is not null as present`;
    if (found?.present) continue;
    const end = new Date(start.getTime() + WEEK_MS);
    await inTransaction(sql, async (tx) => {
      await tx`select pg_advisory_xact_lock(${ADVISORY_LOCKS.weeklyParts})`;
      await tx.unsafe(
        `create table if not exists ${name} partition of ${table.name}
         for values from ('${start.toISOString()}') to ('${end.toISOString()}')
         with (fillfactor = ${table.fillPercent}, autovacuum_enabled = ${table.insertOnly !== true})`,
      );
    }).catch((error: unknown) => {
      // The default partition has rows of this week, written before its partition was made: the week's other rows follow them there.
      if (!isCheckViolation(error)) throw error;
    });
  }
}

export type ReadyWeeks = { ensure(): Promise<void> };

/**
 * A row needs the partition of its week. A job creates it hours ahead; the first write of a week checks again, in case no worker was
 * running.
 */
export function createReadyWeeks(sql: Sql, table: WeeklyTable, now: () => Date): ReadyWeeks {
  let ready = '';
  return {
    async ensure() {
      const at = now();
      const week = weekStart(at).toISOString();
      if (week === ready) return;
      await ensureWeeks(sql, table, at);
      ready = week;
    },
  };
}

/** Drops partitions that end before the cut. Returns their names. */
export async function dropWeeksBefore(sql: Sql, table: WeeklyTable, cut: Date): Promise<string[]> {
  const parts = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relname = ${table.name} order by 1`;
  const oldestKept = partitionName(table, weekStart(cut));
  const past = parts.map((part) => part.name).filter((name) => name < oldestKept);
  for (const name of past) await sql.unsafe(`drop table if exists ${name}`);
  return past;
}

export function retentionCut(now: Date): Date {
  return new Date(now.getTime() - RETENTION_DAYS * DAY_MS);
}

function partitionName(table: WeeklyTable, start: Date): string {
  return `${table.name}_${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function isCheckViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23514';
}
