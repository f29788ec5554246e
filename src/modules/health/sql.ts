import type { Queryable } from '../../platform/database/index.ts';

export async function ping(sql: Queryable): Promise<void> {
  await sql`select 1`;
}

/** Connections of every process of this version: they share one application name. */
export async function countConnections(sql: Queryable): Promise<{ open: number; active: number }> {
  const [row] = await sql<[{ open: number; active: number }]>`
    select count(*) as open, count(*) filter (where state = 'active') as active
    from pg_stat_activity where application_name = current_setting('application_name') and datname = current_database()`;
  return row;
}
