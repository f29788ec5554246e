import type { Tx } from '../../../platform/database/index.ts';
import { type Contribution, isSold } from '../contribution.ts';

/** `by` 1 puts an order in, -1 takes it out. */
export type SalesMove = { by: 1 | -1; contribution: Contribution };

const dailyKey = (tx: Tx) => tx`organization_id, local_day, app_slug, branch_id, currency`;
const productKey = (tx: Tx) => tx`organization_id, local_day, app_slug, branch_id, product_id, sku_id, currency`;

/** By day, channel, branch and currency. */
export function moveDailySales(tx: Tx, moves: SalesMove[]): Promise<void> {
  return moveSums(tx, 'daily_sales', dailyKey(tx), moves.map(orderPart));
}

/** The same by product and SKU; every line carries the order it was in. */
export function moveProductSales(tx: Tx, moves: SalesMove[]): Promise<void> {
  return moveSums(tx, 'daily_product_sales', productKey(tx), moves.flatMap(lineParts));
}

type Part = {
  by: 1 | -1;
  /** Whether an order is counted by this part; a second line of a SKU is not. */
  counts: boolean;
  sold: boolean;
  cancelled: boolean;
  refunded: boolean;
  revenue: number;
  /** Several, to be added up where that is exact. */
  units: number[];
};

function orderPart({ by, contribution }: SalesMove): Part {
  const { organization_id, local_day, app_slug, branch_id, currency, is_cancelled, is_refunded, amount, lines } =
    contribution;
  return {
    ...{ organization_id, local_day, app_slug, branch_id, currency },
    by,
    counts: true,
    sold: isSold(contribution),
    cancelled: is_cancelled,
    refunded: is_refunded,
    revenue: amount,
    units: lines.map((line) => line.units),
  };
}

function lineParts(move: SalesMove): Part[] {
  const ofOrder = orderPart(move);
  return move.contribution.lines.map(({ product_id, sku_id, units, revenue, is_first }) => ({
    ...ofOrder,
    ...{ product_id, sku_id },
    counts: is_first,
    revenue,
    units: [units],
  }));
}

/** One statement, whatever the mix; a second one only where a day, channel or product is left without orders. */
async function moveSums(
  tx: Tx,
  table: 'daily_sales' | 'daily_product_sales',
  key: ReturnType<typeof dailyKey>,
  parts: Part[],
): Promise<void> {
  if (parts.length === 0) return;
  const emptied = await tx<{ row: string }[]>`
    with part as (
      select p.*, case when p.counts then p.by else 0 end as orders, coalesce(u.units, 0) as sold_units
      from json_to_recordset(${JSON.stringify(parts)}::text::json) as p
        (organization_id uuid, local_day date, app_slug text, branch_id uuid, currency text, product_id text,
         sku_id text, by int, counts boolean, sold boolean, cancelled boolean, refunded boolean, revenue numeric,
         units numeric[])
      cross join lateral (select sum(unit) as units from unnest(p.units) as unit) u
    ), summed as (
      select ${key}, sum(orders) as orders, coalesce(sum(orders) filter (where sold), 0) as sold,
             coalesce(sum(by * revenue) filter (where sold), 0) as revenue,
             coalesce(sum(by * sold_units) filter (where sold), 0) as units,
             coalesce(sum(orders) filter (where cancelled), 0) as cancelled,
             coalesce(sum(orders) filter (where refunded), 0) as refunded
      from part group by ${key}
    ), moved as (
      insert into ${tx(table)} as t (${key}, orders, sold, revenue, units, cancelled, refunded)
      select ${key}, orders, sold, revenue, units, cancelled, refunded from summed
      where (orders, sold, revenue, units, cancelled, refunded) <> (0, 0, 0, 0, 0, 0)
      on conflict (${key}) do update set
        orders = t.orders + excluded.orders, sold = t.sold + excluded.sold, revenue = t.revenue + excluded.revenue,
        units = t.units + excluded.units, cancelled = t.cancelled + excluded.cancelled,
        refunded = t.refunded + excluded.refunded
      returning t.*
    )
    select to_json(moved)::text as row from moved where orders = 0`;
  if (emptied.length === 0) return;
  const rows = `[${emptied.map(({ row }) => row).join()}]`;
  await tx`
    delete from ${tx(table)} where (${key}) in (
      select ${key} from json_populate_recordset(null::${tx(table)}, ${rows}::text::json))`;
}
