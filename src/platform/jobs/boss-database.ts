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
  const statements = WHOLE_TRANSACTION.exec(text)?.[1];
  if (statements === undefined) return { rows: await sql.unsafe(text, values) };
  return { rows: await sql.unsafe(sql.layout.isDistributed ? `${ON_THIS_NODE}${statements}` : statements, values) };
}

/** The queues stay on the coordinator. A cluster would send each definition to all nodes, and the whole message with it. */
const ON_THIS_NODE = 'set local citus.enable_ddl_propagation = off;';
