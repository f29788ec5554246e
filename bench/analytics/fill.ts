import { sumSales } from '../../src/modules/sales/sql/daily-sales.ts';
import { markAllDays } from '../../src/modules/sales/sql/sales-days.ts';
import { inTransaction, type Sql } from '../../src/platform/database/index.ts';

const PRODUCTS = 500;
const BRANCHES = 5;
const APPS = ['api', 'jahez', 'salla', 'hungerstation', 'till'];
const ORDERS_A_CUSTOMER = 10;
const DAYS = 730;

/**
 * A tenant's catalog and the projections of its orders over two years, half of them in the last one, made by the server itself.
 * The orders themselves are not there: the dashboard reads none of them.
 */
export async function fillSales(sql: Sql, organizationId: string, orders: number): Promise<void> {
  await fillCatalog(sql, organizationId);
  const customers = Math.ceil(orders / ORDERS_A_CUSTOMER);
  await sql`
    insert into projected_orders (organization_id, order_id, position, is_deleted, created_at, local_day, app_slug, branch_id,
      customer_id, customer_name, customer_phone, currency, is_cancelled, is_refunded, amount, line_products, line_skus,
      line_units, line_revenues, line_firsts)
    select ${organizationId}, md5(${organizationId}::text || n)::uuid, 0, false, t, (t at time zone 'Asia/Riyadh')::date,
      (${APPS}::text[])[1 + h % ${APPS.length}], md5(${organizationId}::text || 'branch' || b)::uuid,
      md5('customer ' || h % ${customers})::uuid, 'Customer', '+9665', 'SAR', h % 17 = 0, h % 53 = 0, 40,
      array['P-' || p, 'P-' || q], array['P-' || p || '_B-' || b, 'P-' || q || '_B-' || b], array[1, 2], array[10, 30],
      array[true, true]
    from generate_series(1, ${orders}) n
    cross join lateral (select abs(hashint4(n)) as h,
                               now() - interval '1 second' * (n::float8 / ${orders} * ${DAYS * 86_400}) as t) v
    cross join lateral (select h / 3 % ${PRODUCTS} as p, (h / 5 + 1) % ${PRODUCTS} as q, 1 + h / 7 % ${BRANCHES} as b) w`;
  await sql`
    insert into customers (organization_id, branch_id, id, orders, spent, currency, first_order_at, last_order_at)
    select organization_id, '00000000-0000-0000-0000-000000000000', customer_id, count(*), sum(amount), 'SAR',
           min(created_at), max(created_at)
    from projected_orders where organization_id = ${organizationId} group by organization_id, customer_id`;
  await inTransaction(sql, async (tx) => {
    await sumSales(tx, organizationId);
    await markAllDays(tx, organizationId);
  });
  await sql`
    vacuum analyze projected_orders, daily_sales, daily_product_sales, monthly_product_sales, sales_days, customers, skus,
                   products`;
}

async function fillCatalog(sql: Sql, organizationId: string): Promise<void> {
  const now = new Date();
  await sql`
    insert into branches (organization_id, id, iv_id, name_en, created, updated)
    select ${organizationId}, md5(${organizationId}::text || 'branch' || n)::uuid, 'B-' || n, 'Branch ' || n, ${now}, ${now}
    from generate_series(1, ${BRANCHES}) n`;
  await sql`
    insert into products (organization_id, id, iv_id, name_en, name_ar, created, updated)
    select ${organizationId}, md5(${organizationId}::text || 'product' || n)::uuid, 'P-' || n, 'Product ' || n, 'منتج ' || n,
           ${now}, ${now}
    from generate_series(0, ${PRODUCTS - 1}) n`;
  await sql`
    insert into skus (organization_id, product_id, branch_id, id, iv_id, current_qty, reorder_threshold, created, updated)
    select p.organization_id, p.id, b.id, gen_random_uuid(), p.iv_id || '_' || b.iv_id, 40,
           case when p.iv_id < 'P-11' then 50 else 10 end, ${now}, ${now}
    from products p join branches b on b.organization_id = p.organization_id
    where p.organization_id = ${organizationId}`;
}
