import type { Db } from 'pg-boss';
import type { Queryable, Sql } from '../database/index.ts';

/** PostgreSQL's type id for a value whose type is still open: the server settles it from the statement. */
const UNKNOWN_TYPE = 705;
const WHOLE_TRANSACTION = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/;

/** Lets pg-boss, written for the `pg` driver, run on the service's own pool or inside one of its transactions. */
export function bossDatabase(sql: Queryable): Db {
  return { executeSql: (text, values) => execute(sql, text, values) };
}

export function listeningBossDatabase(sql: Sql): Db {
  return {
    ...bossDatabase(sql),
    async listen(channel, onNotification, onReconnect) {
      const { unlisten } = await sql.listen(channel, onNotification, onReconnect);
      return { close: unlisten };
    },
  };
}

async function execute(sql: Queryable, text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
  // The driver refuses BEGIN on a pool, and rightly: after an error the connection would go back in mid-transaction.
  // Several statements in one message without it are a transaction by themselves.
  const statements = WHOLE_TRANSACTION.exec(text)?.[1] ?? text;
  const result = await sql.unsafe<unknown[][]>(
    statements,
    values.map((value) => untyped(sql, value)),
    // Without values, the simple protocol: it alone takes several statements.
    { prepare: values.length > 0 },
  );
  return { rows: result.some(Array.isArray) ? result.flat() : result };
}

/**
 * As `pg` would send it. Left to itself, this driver encodes a string for a json parameter once more, and pg-boss has
 * encoded its own.
 */
function untyped(sql: Queryable, value: unknown) {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value;
  if (value instanceof Date) return value;
  return sql.typed(typeof value === 'object' ? JSON.stringify(value) : String(value), UNKNOWN_TYPE);
}
