import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Sql } from './connect.ts';
import { type DedicatedSql, dedicatedSql } from './migrate/dedicated-sql.ts';
import { noticeLostClients } from './migrate/migration-lock.ts';

export type { DedicatedSql };

/** For statements that copy tables or shards: they may take hours, and end with the process that asked for them. */
export function onOwnConnection<T>(sql: Sql, work: (own: DedicatedSql) => Promise<T>): Promise<T> {
  return sql.connections.withConnection(
    sql.priorityClass,
    async (connection) => {
      const own = dedicatedSql(connection, sql.layout);
      await own`select set_config('statement_timeout', '0', false)`;
      await noticeLostClients(own);
      return work(own);
    },
    { isDedicated: true },
  );
}

/**
 * Processes read the layout at their start and keep it: while it changes none reads it (`readLayout`). False, without `work`, when a process is
 * reading it or another changes it. Those that have read it are connected.
 */
export async function whileNoneStarts(own: DedicatedSql, work: () => Promise<void>): Promise<boolean> {
  const [row] = await own<{ taken: boolean }[]>`select pg_try_advisory_lock(${ADVISORY_LOCKS.layout}) as taken`;
  if (!row?.taken) return false;
  try {
    await work();
    return true;
  } finally {
    // Closing the connection releases it too, but some time later. On a lost connection there is no lock.
    await own`select pg_advisory_unlock(${ADVISORY_LOCKS.layout})`.catch(() => undefined);
  }
}
