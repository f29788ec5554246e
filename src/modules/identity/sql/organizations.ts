import type { Queryable } from '../../../platform/database/index.ts';

export async function readTimeZones(sql: Queryable, organizationIds: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; time_zone: string }[]>`
    select id, time_zone from organizations where id = any(${organizationIds}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row.time_zone]));
}

export async function listOrganizationIds(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from organizations order by id`;
  return rows.map((row) => row.id);
}

export async function countOrganizations(sql: Queryable): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*) as total from organizations`;
  return row?.total ?? 0;
}
