import type { Tx } from '../../platform/database/index.ts';
import { type CustomerShare, moveCustomers } from '../customers/index.ts';
import type { StampedEvent } from '../events/index.ts';
import { readTimeZones } from '../identity/index.ts';
import type { CountedOrder } from '../orders/index.ts';
import { addUpMoves } from './add-up-moves.ts';
import { addsTheSame, type Contribution, contributionOf, isSold, type OrderState } from './contribution.ts';
import { moveSales } from './sql/daily-sales.ts';
import { readProjected, writeProjected } from './sql/projected-orders.ts';
import { markDays } from './sql/sales-days.ts';

/** Projects a batch of the feed with about ten statements, for any number of events, orders and tenants. */
export async function projectEvents(tx: Tx, events: StampedEvent[]): Promise<void> {
  // An event contains the complete order, so only the last event of an order in a batch matters.
  const latest = new Map<string, StampedEvent>();
  for (const event of events) latest.set(`${event.organization_id} ${event.order_id}`, event);
  await projectOrders(tx, Array.from(latest.values(), stateAfter));
}

function stateAfter(event: StampedEvent): OrderState {
  const { order } = JSON.parse(event.body) as { order: CountedOrder };
  return {
    organizationId: event.organization_id,
    position: event.position,
    isDeleted: event.type === 'order.deleted',
    order,
  };
}

/**
 * Updates the projections of these orders to these states, one state per order. An order that was counted from a later event stays
 * as it is, so projecting the same events again changes nothing.
 *
 * The caller holds the lock of the follower, so that no other process counts at the same time.
 */
export async function projectOrders(tx: Tx, states: OrderState[]): Promise<void> {
  const keys = states.map(({ organizationId, order }) => ({ organizationId, orderId: order.id }));
  const [zones, counted] = await Promise.all([
    readTimeZones(tx, [...new Set(keys.map((key) => key.organizationId))]),
    readProjected(tx, keys),
  ]);
  const countedById = new Map(counted.map((row) => [`${row.organization_id} ${row.order_id}`, row]));
  const changes = states.flatMap((state) => {
    const before = countedById.get(`${state.organizationId} ${state.order.id}`);
    const timeZone = zones.get(state.organizationId);
    if (timeZone === undefined || (before !== undefined && before.position >= state.position)) return [];
    return [{ before, after: contributionOf(state, timeZone) }];
  });
  if (changes.length === 0) return;
  await writeProjected(
    tx,
    changes.map(({ after }) => after),
  );
  const changed = changes.filter(({ before, after }) => before === undefined || !addsTheSame(before, after));
  const removed = changed.flatMap(({ before }) => (before === undefined || before.is_deleted ? [] : [before]));
  const added = changed.flatMap(({ after }) => (after.is_deleted ? [] : [after]));
  // Tables of their own: the connection sends their statements without waiting for answers in between.
  await Promise.all([
    moveSales(
      tx,
      addUpMoves([
        ...removed.map((contribution) => ({ ...contribution, by: -1 as const })),
        ...added.map((contribution) => ({ ...contribution, by: 1 as const })),
      ]),
    ),
    moveCustomers(tx, removed.map(shareOf), added.map(shareOf)),
    markDays(tx, [...removed, ...added]),
  ]);
}

function shareOf(contribution: Contribution): CustomerShare {
  const { organization_id, branch_id, customer_id, currency, amount } = contribution;
  return { organization_id, branch_id, customer_id, currency, spent: isSold(contribution) ? amount : 0 };
}
