import type { Sql } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';

/** Products as rows, so that the tests of branches need nothing of the products' own routes. */
export async function addProducts(sql: Sql, organizationId: string, ivIds: string[]): Promise<void> {
  const now = new Date();
  await sql`
    insert into products (organization_id, id, iv_id, created, updated)
    select ${organizationId}, p.id, p.iv_id, ${now}, ${now}
    from unnest(${ivIds.map(newId)}::uuid[], ${ivIds}::text[]) as p (id, iv_id)`;
}

export async function listSkuIvIds(sql: Sql, organizationId: string): Promise<string[]> {
  const rows = await sql<{ iv_id: string }[]>`
    select iv_id from skus where organization_id = ${organizationId} order by iv_id`;
  return rows.map((row) => row.iv_id);
}

export async function totalOf(sql: Sql, organizationId: string, list: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(total), 0) as total from list_totals
    where organization_id = ${organizationId} and list = ${list}`;
  return row?.total ?? 0;
}
