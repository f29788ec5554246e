import type { Sql } from '../../src/platform/database/index.ts';

/** SKUs that each sell on most days of the past, made by the server itself. */
export async function fillDemand(
  sql: Sql,
  organizationId: string,
  { skus, days }: { skus: number; days: number },
): Promise<void> {
  const now = new Date();
  await sql`
    insert into branches (organization_id, id, iv_id, name_en, created, updated)
    values (${organizationId}, md5(${organizationId}::text || 'branch')::uuid, 'B', 'Branch', ${now}, ${now})`;
  await sql`
    insert into products (organization_id, id, iv_id, name_en, name_ar, created, updated)
    select ${organizationId}, md5(${organizationId}::text || n)::uuid, 'S' || lpad(n::text, 6, '0'), 'Product ' || n,
           'منتج ' || n, ${now}, ${now}
    from generate_series(0, ${skus - 1}) n`;
  await sql`
    insert into skus (organization_id, product_id, branch_id, id, iv_id, current_qty, created, updated)
    select p.organization_id, p.id, b.id, gen_random_uuid(), p.iv_id || '_' || b.iv_id, 40, ${now}, ${now}
    from products p join branches b on b.organization_id = p.organization_id
    where p.organization_id = ${organizationId}`;
  await sql`
    insert into daily_product_sales (organization_id, local_day, app_slug, branch_id, product_id, sku_id, currency, orders,
                                     sold, revenue, units, cancelled, refunded)
    select s.organization_id, (now() at time zone 'Asia/Riyadh')::date - d, 'api', s.branch_id, 'P', s.iv_id, 'SAR', 1, 1,
           10, abs(hashtext(s.iv_id || d)) % 9, 0, 0
    from skus s cross join generate_series(1, ${days}) d
    where s.organization_id = ${organizationId} and abs(hashtext(d || s.iv_id)) % 4 > 0`;
  await sql`
    insert into daily_sales (organization_id, local_day, app_slug, branch_id, currency, orders, sold, revenue, units,
                             cancelled, refunded)
    select organization_id, local_day, app_slug, branch_id, currency, sum(orders), sum(sold), sum(revenue), sum(units), 0, 0
    from daily_product_sales where organization_id = ${organizationId}
    group by organization_id, local_day, app_slug, branch_id, currency`;
  await sql`vacuum analyze daily_product_sales, daily_sales, skus, products`;
}
