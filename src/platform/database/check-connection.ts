import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Sql } from './connect.ts';

const PATIENCE_MS = 30_000;
const AGAIN_AFTER_MS = 250;
const STARTING_UP = '57P03';

/**
 * The first contact. A server that is there but not ready yet (starting up, or too busy to let anybody in) is given half a
 * minute; whatever else is wrong stays wrong, and is told at once. What the driver says of a server that is not there names
 * no setting, and is sometimes empty.
 */
export async function checkConnection(sql: Sql, called: string): Promise<void> {
  const patientUntilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (!mayBeReadyLater(error) || performance.now() > patientUntilMs) {
        throw new Error(`${called} cannot be used: ${reasonOf(error)}`);
      }
    }
    await wait(AGAIN_AFTER_MS);
  }
}

function mayBeReadyLater(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  // The same code is given to what the server refused by name, such as a password.
  return error.code === STARTING_UP || (error.code === 'CONNECT_TIMEOUT' && !(error.cause instanceof pg.DatabaseError));
}

/** What we ask of every session; an older server refuses the connection over the first that it does not know. */
function isUnknownSetting({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '42704';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnknownSetting(error)) return `${error.message} (PostgreSQL 15 or newer is needed)`;
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error.name;
}
