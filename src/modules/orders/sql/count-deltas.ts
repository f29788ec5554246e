import { insertValues, type Tx } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { type CountMove, OVERFLOW } from './count-move.ts';

/** Statements about counts for a cluster, which cannot route the ones that do it all at once. For orders of one group of tenants. */

type CountedMove = { order: Order; by: 1 | -1; isOverflow: boolean };

/** An order counts in the overflow row from now on. */
export async function addOverflow(tx: Tx, orders: Order[]): Promise<void> {
  if (orders.length === 0) return;
  const rows = orders.map((order) => ({ ...statusesOf(order), order_id: order.id }));
  await tx`
    insert into rare_orders
      (organization_id, order_id, destination_id, order_status, payment_status, fulfillment_status, source, currency)
    select organization_id, order_id, destination_id, order_status, payment_status, fulfillment_status, source, currency
    from json_populate_recordset(null::rare_orders, ${JSON.stringify(rows)}::text::json)
    on conflict (organization_id, order_id) do update set
      destination_id = excluded.destination_id, order_status = excluded.order_status,
      payment_status = excluded.payment_status, fulfillment_status = excluded.fulfillment_status,
      source = excluded.source, currency = excluded.currency`;
}

export async function addDeltas(tx: Tx, moves: CountedMove[]): Promise<void> {
  const sums = new Map<string, Record<string, unknown> & { by: number }>();
  for (const { order, by, isOverflow } of moves) {
    const row = statusesOf(order);
    if (isOverflow) for (const status of STATUSES) row[status] = OVERFLOW;
    const key = JSON.stringify(row);
    const sum = sums.get(key) ?? { ...row, by: 0 };
    sum.by += by;
    sums.set(key, sum);
  }
  const rows = [...sums.values()].filter((row) => row.by !== 0);
  if (rows.length === 0) return;
  await insertValues(tx, 'order_count_deltas', rows);
}

export async function moveCountsByStatement(tx: Tx, moves: CountMove[]): Promise<void> {
  const removed = moves.filter((move) => move.by === -1).map((move) => move.order);
  const added = moves.filter((move) => move.by === 1);
  const were = new Set(
    (
      await tx<{ order_id: string }[]>`
        select order_id from rare_orders
        where organization_id = any(${organizationsOf(removed)}::uuid[]) and order_id = any(${removed.map(({ id }) => id)}::uuid[])`
    ).map((row) => row.order_id),
  );
  const overflow = added.filter((move) => move.isOverflow).map((move) => move.order);
  const still = new Set(overflow.map((order) => order.id));
  const gone = removed.filter((order) => were.has(order.id) && !still.has(order.id));
  if (gone.length > 0)
    await tx`
      delete from rare_orders
      where organization_id = any(${organizationsOf(gone)}::uuid[]) and order_id = any(${gone.map(({ id }) => id)}::uuid[])`;
  await addOverflow(tx, overflow);
  await addDeltas(
    tx,
    moves.map(({ order, ...move }) => ({
      order,
      by: move.by,
      isOverflow: move.by === 1 ? move.isOverflow : were.has(order.id),
    })),
  );
}

const STATUSES = ['order_status', 'payment_status', 'fulfillment_status', 'source', 'currency'] as const;

function statusesOf(order: Order): Record<string, unknown> {
  const { organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency } = order;
  return { organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency };
}

function organizationsOf(orders: Order[]): string[] {
  return [...new Set(orders.map((order) => order.organization_id))];
}
