import { setTimeout as delay } from 'node:timers/promises';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import type { Sql } from '../connect.ts';
import { type DedicatedSql, dedicatedSql } from './dedicated-sql.ts';
import { MigrationError } from './migration-error.ts';
import { LOCK_TIMEOUT } from './retry-busy.ts';

const POLL_MS = 200;
const MAX_WAIT_MS = 30 * 60_000;

export type LockOptions = { signal: AbortSignal; onWaiting(elapsedMs: number): void };

/**
 * Runs `work` on a connection that holds the session lock of migrations, so that losing the lock and losing the connection are one
 * event. The lock is polled for outside transactions: `create index concurrently` waits for every transaction that is older than itself,
 * including one that waits for a lock.
 */
export function withMigrationLock<T>(
  sql: Sql,
  { signal, onWaiting }: LockOptions,
  work: (locked: DedicatedSql) => Promise<T>,
): Promise<T> {
  return sql.connections.withConnection(
    sql.priorityClass,
    async (connection) => {
      const locked = dedicatedSql(connection);
      // Building an index on a large table has no time limit; only waiting for locks has.
      await locked`
        select set_config('statement_timeout', '0', false), set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`;
      await noticeLostClients(locked);
      const startedMs = performance.now();
      while (!(await tryLock(locked))) {
        const elapsedMs = performance.now() - startedMs;
        if (elapsedMs > MAX_WAIT_MS) throw new MigrationError('Another process has been migrating for 30 minutes');
        onWaiting(elapsedMs);
        await delay(POLL_MS, undefined, { signal });
      }
      try {
        return await work(locked);
      } finally {
        // Closing the connection releases it too, but some time later. On a lost connection there is no lock.
        await locked`select pg_advisory_unlock(${ADVISORY_LOCKS.migrations})`.catch(() => undefined);
      }
    },
    { isDedicated: true },
  );
}

async function tryLock(locked: DedicatedSql): Promise<boolean> {
  const [row] = await locked<{ taken: boolean }[]>`
    select pg_try_advisory_lock(${ADVISORY_LOCKS.migrations}) as taken`;
  return row?.taken ?? false;
}

/** The statement of a killed process ends within a second and releases the lock. Servers on Windows refuse the setting. */
export async function noticeLostClients(locked: DedicatedSql): Promise<void> {
  await locked`select set_config('client_connection_check_interval', '1s', false)`.catch(() => undefined);
}
