import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Sql } from './connect.ts';

const MAX_WAIT_MS = 30_000;
const RETRY_AFTER_MS = 250;
const STARTING_UP = '57P03';

/**
 * The first connection. A server that is starting up, or too busy to accept a connection, gets half a minute; other errors are
 * permanent and reported at once. The driver's own message for an unreachable server names no setting and may be empty.
 */
export async function checkConnection(sql: Sql, called: string): Promise<void> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (!mayBeReadyLater(error) || performance.now() > deadlineMs) {
        throw new Error(`${called} cannot be used: ${reasonOf(error)}`);
      }
    }
    await wait(RETRY_AFTER_MS);
  }
}

function mayBeReadyLater(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  // Authentication errors have the same code.
  return error.code === STARTING_UP || (error.code === 'CONNECT_TIMEOUT' && !(error.cause instanceof pg.DatabaseError));
}

/** An older server refuses a connection whose startup options name a setting that it does not know. */
function isUnknownSetting({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '42704';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnknownSetting(error)) return `${error.message} (PostgreSQL 15 or newer is needed)`;
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error.name;
}
