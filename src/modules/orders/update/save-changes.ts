import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { type OrderChange, outboxEntry } from '../../events/index.ts';
import type { Order } from '../order.ts';
import { changedFields, changesOf, deletionOf } from '../order-change.ts';
import type { Ordering } from '../ordering.ts';
import { searchColumnsOf } from '../search/search-columns.ts';
import { deleteOrders, updateOrders, updatePaymentFacts } from '../sql/change-orders.ts';
import { moveCounts } from '../sql/counts.ts';

export type OrderMove = { before: Order; after: Order };

/** Writes rows, events and counts of the orders that changed. An unchanged order makes no event; new payment facts of it are stored. */
export async function saveChanges(tx: Tx, { clock, statusCounters }: Ordering, moves: OrderMove[]): Promise<void> {
  const occurredAtUs = clock.nowNanoseconds() / 1000n;
  const changes: OrderChange[] = [];
  const changed: OrderMove[] = [];
  const onlyFactsChanged: Order[] = [];
  for (const move of moves) {
    const fields = changedFields(move.before, move.after);
    if (fields.length === 0) {
      if (move.after.payment_facts !== move.before.payment_facts) onlyFactsChanged.push(move.after);
      continue;
    }
    changed.push(move);
    changes.push(...changesOf(move.before, move.after, fields, occurredAtUs));
  }
  for (const [organizationId, orders] of Map.groupBy(onlyFactsChanged, (order) => order.organization_id)) {
    await updatePaymentFacts(tx, organizationId, orders);
  }
  if (changed.length === 0) return;
  const after = changed.map((move) => move.after);
  const rows = after.map((order) => ({ ...order, ...searchColumnsOf(order) }));
  await updateOrders(tx, rows, changes.map(outboxEntry));
  const overflow = await statusCounters.findOverflow(tx, after);
  await moveCounts(
    tx,
    changed.flatMap((move) => [
      { order: move.before, by: -1 as const },
      { order: move.after, by: 1 as const, isOverflow: overflow.has(move.after.id) },
    ]),
  );
}

export async function removeOrders(tx: Tx, clock: Clock, organizationId: string, orders: Order[]): Promise<void> {
  if (orders.length === 0) return;
  const occurredAtUs = clock.nowNanoseconds() / 1000n;
  const entries = orders.map((order) => outboxEntry(deletionOf(order, occurredAtUs)));
  await deleteOrders(
    tx,
    organizationId,
    orders.map((order) => order.id),
    entries,
  );
  await moveCounts(
    tx,
    orders.map((order) => ({ order, by: -1 as const })),
  );
}
