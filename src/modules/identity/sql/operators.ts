import type { Queryable } from '../../../platform/database/index.ts';

export type OperatorRow = { id: string; name: string; email: string };

const columns = (sql: Queryable) => sql`id, case when name = '' then email else name end as name, email`;

/** Active Commercial accounts, by name. */
export function listOperators(sql: Queryable, limit: number): Promise<OperatorRow[]> {
  return sql<OperatorRow[]>`
    select ${columns(sql)} from users where operator_type = 'Commercial' and is_active
    order by lower(name), id limit ${limit}`;
}

/** Also those that are no longer active: a record shows who worked on it. */
export async function readOperators(sql: Queryable, ids: readonly string[]): Promise<Map<string, OperatorRow>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<OperatorRow[]>`
    select ${columns(sql)} from users where id = any(${[...ids]}::uuid[]) and operator_type = 'Commercial'`;
  return new Map(rows.map((row) => [row.id, row]));
}

export async function isActiveOperator(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql`select 1 from users where id = ${id} and operator_type = 'Commercial' and is_active`;
  return rows.length > 0;
}
