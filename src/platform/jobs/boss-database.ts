import type { Db } from 'pg-boss';
import type { Queryable, Sql } from '../database/index.ts';

const WHOLE_TRANSACTION = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/;

/** Lets pg-boss run on the service's own pool or inside one of its transactions. */
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
  // After an error its BEGIN would leave the connection in mid-transaction. Several statements in one message without it
  // are a transaction by themselves.
  return { rows: await sql.unsafe(WHOLE_TRANSACTION.exec(text)?.[1] ?? text, values) };
}
