import { runOnGroup, type Sql } from '../../src/platform/database/index.ts';
import { connectPatiently } from './connect-patiently.ts';
import { atEndOfFile } from './end-of-file.ts';
import type { TestDatabase } from './index.ts';

export type GroupServer = {
  /** A single connection, whose statistics can be flushed. */
  sql: Sql;
  table(name: string): string;
};

/** The server that has the rows of a group of tenants, and what it calls their tables: the database itself, or a node of the cluster. */
export async function connectToGroup({ url, sql }: TestDatabase, group: string): Promise<GroupServer> {
  const { id, table } = sql.layout.shardOf(group);
  const server = new URL(url);
  if (sql.layout.isDistributed) {
    const [node] = await sql<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_shard_placement where shardid = ${id}::bigint`;
    server.hostname = node?.host ?? '';
    server.port = String(node?.port);
  }
  const connected = connectPatiently(server.href, 1);
  atEndOfFile(() => connected.end({ timeout: 1 }));
  // A shard may be locked by name, and have a trigger.
  if (sql.layout.isDistributed)
    await connected.unsafe('set citus.enable_manual_changes_to_shards = on; set citus.enable_ddl_propagation = off');
  return { sql: connected, table };
}

/** One text, `answer`, from the connection to that server on which the statements of `sql` about the group run. */
export async function askGroup(
  sql: Sql,
  group: string,
  statement: Parameters<typeof runOnGroup>[2],
): Promise<string | undefined> {
  if (sql.layout.isDistributed) return runOnGroup(sql, group, statement);
  const [row] = await sql<{ answer: string }[]>`${statement}`;
  return row?.answer;
}
