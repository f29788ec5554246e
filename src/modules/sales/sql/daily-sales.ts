import type { Tx } from '../../../platform/database/index.ts';
import type { MovedSums } from '../add-up-moves.ts';

type Fragment = ReturnType<typeof ofTenant>;

/** All projected orders of a tenant, to be added. */
const ofTenant = (tx: Tx, organizationId: string) => tx`
  (select 1 as by, * from projected_orders where organization_id = ${organizationId} and not is_deleted) o`;

/**
 * Adds and subtracts the orders of a batch. One statement for all tables; a further one only when a day, channel or product has no orders
 * left.
 */
export async function moveSales(tx: Tx, { days, products }: MovedSums): Promise<void> {
  if (days.length === 0) return;
  const dayColumns = tx`organization_id uuid, local_day date, app_slug text, branch_id uuid, currency text`;
  const productColumns = tx`${dayColumns}, product_id text, sku_id text`;
  const months = tx`(select *, date_trunc('month', local_day)::date as month from product_sums)`;
  const emptied = await tx<{ daily: string[]; products: string[]; organizations: string[]; monthly: string[] }[]>`
    with day_sums as materialized (${readSums(tx, days, dayColumns, dayKey(tx))}),
    product_sums as materialized (${readSums(tx, products, productColumns, productKey(tx))}),
    daily as (${addSums(tx, 'daily_sales', dayKey(tx), tx`day_sums`)}),
    by_product as (${addSums(tx, 'daily_product_sales', productKey(tx), tx`product_sums`)}),
    by_organization as (
      ${addSums(tx, 'organization_sales', organizationKey(tx), addUp(tx, organizationKey(tx), tx`day_sums`))}),
    monthly as (${addSums(tx, 'monthly_product_sales', monthKey(tx), addUp(tx, monthKey(tx), months))})
    select ${emptyRows(tx, tx`daily`)} as daily, ${emptyRows(tx, tx`by_product`)} as products,
           ${emptyRows(tx, tx`by_organization`)} as organizations, ${emptyRows(tx, tx`monthly`)} as monthly`;
  const [rows] = emptied;
  if (rows === undefined) return;
  await deleteRows(tx, 'daily_sales', dayKey(tx), rows.daily);
  await deleteRows(tx, 'daily_product_sales', productKey(tx), rows.products);
  await deleteRows(tx, 'organization_sales', organizationKey(tx), rows.organizations);
  await deleteRows(tx, 'monthly_product_sales', monthKey(tx), rows.monthly);
}

/** Into tables without rows of the tenant. */
export async function sumSales(tx: Tx, organizationId: string): Promise<void> {
  const orders = ofTenant(tx, organizationId);
  await insertSums(tx, 'daily_sales', dayKey(tx), byDay(tx, orders));
  await insertSums(tx, 'daily_product_sales', productKey(tx), byProduct(tx, orders));
  await insertSums(tx, 'organization_sales', organizationKey(tx), byDay(tx, orders));
  await insertSums(tx, 'monthly_product_sales', monthKey(tx), byProduct(tx, orders));
}

type Table = 'daily_sales' | 'daily_product_sales' | 'organization_sales' | 'monthly_product_sales';

const dayKey = (tx: Tx) => tx`organization_id, local_day, app_slug, branch_id, currency`;
const productKey = (tx: Tx) => tx`organization_id, local_day, app_slug, branch_id, product_id, sku_id, currency`;
/** All days, channels and branches together: the totals of an organization for operators. */
const organizationKey = (tx: Tx) => tx`organization_id, currency`;
const monthKey = (tx: Tx) => tx`organization_id, month, branch_id, product_id, sku_id, currency`;

/** In order of the key, so that neighbouring index entries are written together. */
const readSums = (tx: Tx, sums: readonly object[], keyColumns: Fragment, key: Fragment) => tx`
  select * from json_to_recordset(${JSON.stringify(sums)}::text::json) as s
    (${keyColumns}, orders bigint, sold bigint, revenue numeric, units numeric, cancelled bigint, refunded bigint)
  order by ${key}`;

const byDay = (tx: Tx, orders: Fragment) => tx`
  select o.*, o.by as orders, o.by * o.amount as revenue,
         o.by * (select coalesce(sum(units), 0) from unnest(o.line_units) as l (units)) as units
  from ${orders}`;

/** An order counts once for each of its SKUs, with the first line of the SKU. */
const byProduct = (tx: Tx, orders: Fragment) => tx`
  select o.*, date_trunc('month', o.local_day)::date as month, l.product_id, l.sku_id, case when l.is_first then o.by else 0 end as orders,
         o.by * l.revenue as revenue, o.by * l.units as units
  from ${orders}
  cross join lateral unnest(o.line_products, o.line_skus, o.line_units, o.line_revenues, o.line_firsts) as l
    (product_id, sku_id, units, revenue, is_first)`;

/** In order of the key, so that neighbouring index entries are written together. */
const sumsOf = (tx: Tx, key: Fragment, parts: Fragment) => tx`
  select ${key}, sum(orders) as orders,
         coalesce(sum(orders) filter (where not is_cancelled and not is_refunded), 0) as sold,
         coalesce(sum(revenue) filter (where not is_cancelled and not is_refunded), 0) as revenue,
         coalesce(sum(units) filter (where not is_cancelled and not is_refunded), 0) as units,
         coalesce(sum(orders) filter (where is_cancelled), 0) as cancelled,
         coalesce(sum(orders) filter (where is_refunded), 0) as refunded
  from (${parts}) part group by ${key} order by ${key}`;

/** Sums by a shorter key, from sums. */
const addUp = (tx: Tx, key: Fragment, sums: Fragment) => tx`
  (select ${key}, sum(orders) as orders, sum(sold) as sold, sum(revenue) as revenue, sum(units) as units,
          sum(cancelled) as cancelled, sum(refunded) as refunded
   from ${sums} summed group by ${key} order by ${key})`;

async function insertSums(tx: Tx, table: Table, key: Fragment, parts: Fragment): Promise<void> {
  await tx`
    insert into ${tx(table)} (${key}, orders, sold, revenue, units, cancelled, refunded)
    ${sumsOf(tx, key, parts)}`;
}

const addSums = (tx: Tx, table: Table, key: Fragment, sums: Fragment) => tx`
  insert into ${tx(table)} as t (${key}, orders, sold, revenue, units, cancelled, refunded)
  select ${key}, orders, sold, revenue, units, cancelled, refunded from ${sums} summed
  where (orders, sold, revenue, units, cancelled, refunded) <> (0, 0, 0, 0, 0, 0)
  on conflict (${key}) do update set
    orders = t.orders + excluded.orders, sold = t.sold + excluded.sold, revenue = t.revenue + excluded.revenue,
    units = t.units + excluded.units, cancelled = t.cancelled + excluded.cancelled,
    refunded = t.refunded + excluded.refunded
  returning t.*`;

const emptyRows = (tx: Tx, moved: Fragment) => tx`
  array(select to_json(m)::text from ${moved} m where m.orders = 0)`;

async function deleteRows(tx: Tx, table: Table, key: Fragment, rows: string[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    delete from ${tx(table)} where (${key}) in (
      select ${key} from json_populate_recordset(null::${tx(table)}, ${`[${rows.join()}]`}::text::json))`;
}
