import type { Tx } from '../../../platform/database/index.ts';
import type { Order, ReadyOrder } from '../order.ts';
import { changedFields } from '../order-change.ts';
import type { Ordering } from '../ordering.ts';
import { isTooLarge } from '../place/prepare-orders.ts';
import { writeOrders } from '../place/write-orders.ts';
import { lockTransactions, type OrderRevision, saveRevisions } from '../sql/apply-vendor-updates.ts';
import { newOrder, orderAfter, revisionAfter, type VendorOwner } from './order-after-update.ts';
import type { OrderUpdate, UpdateResult } from './order-update.ts';
import { type OrderMove, saveChanges } from './save-changes.ts';

/**
 * Applies the updates of one install in the given order. An update older than the stored revision changes nothing. A status follows
 * the same transitions as everywhere, except that a vendor may cancel any of its orders; when a transition is not allowed, the
 * statuses stay and the other fields are updated. The caller holds the lock of the install and notifies the outbox after commit.
 */
export async function applyVendorUpdates(
  tx: Tx,
  ordering: Ordering,
  owner: VendorOwner,
  updates: readonly OrderUpdate[],
): Promise<UpdateResult[]> {
  const results: Results = new Map();
  // Two updates of one order in a batch are two writes: the second one sees the result of the first.
  let waiting = [...updates];
  while (waiting.length > 0) {
    const seen = new Set<string>();
    const round = waiting.filter(({ transactionId }) => !seen.has(transactionId) && seen.add(transactionId));
    waiting = waiting.filter((update) => !round.includes(update));
    await applyRound(tx, ordering, owner, round, results);
  }
  return updates.map((update) => results.get(update) ?? { outcome: 'contended' });
}

type Results = Map<OrderUpdate, UpdateResult>;

async function applyRound(
  tx: Tx,
  ordering: Ordering,
  owner: VendorOwner,
  round: readonly OrderUpdate[],
  results: Results,
): Promise<void> {
  const { organizationId, channel } = owner;
  const ids = round.map(({ transactionId }) => transactionId);
  const known = new Map(
    (await lockTransactions(tx, organizationId, channel.organization_app_id, ids)).map((order) => [
      order.source_transaction_id,
      order,
    ]),
  );
  const now = ordering.clock.now();
  const moves: OrderMove[] = [];
  const revisions: OrderRevision[] = [];
  const fresh: { update: OrderUpdate; order: Order }[] = [];
  for (const update of round) {
    const before = known.get(update.transactionId);
    if (before === undefined) {
      if (update.order === undefined) results.set(update, { outcome: 'unknown' });
      else if (update.missing !== undefined) results.set(update, { outcome: 'incomplete', missing: update.missing });
      else fresh.push({ update, order: newOrder(owner, { ...update, ...update.newOrderStatuses }, now) });
      continue;
    }
    if (before.source_revision !== null && update.revision < before.source_revision) {
      results.set(update, { outcome: 'unchanged', ...resultOf(before) });
      continue;
    }
    const after = orderAfter(before, update, now);
    if (isTooLarge(JSON.stringify(after))) {
      results.set(update, { outcome: 'too-large' });
      continue;
    }
    const isChanged = changedFields(before, after).length > 0;
    if (isChanged || after.payment_facts !== before.payment_facts) moves.push({ before, after });
    revisions.push({
      id: before.id,
      revision: revisionAfter(before, update),
      raw: update.isPartial ? undefined : update.raw,
    });
    results.set(update, { outcome: isChanged ? 'updated' : 'unchanged', ...resultOf(after) });
  }
  await placeFresh(tx, ordering, fresh, results);
  await saveChanges(tx, ordering, moves);
  if (revisions.length > 0) await saveRevisions(tx, organizationId, revisions);
}

async function placeFresh(
  tx: Tx,
  ordering: Ordering,
  fresh: readonly { update: OrderUpdate; order: Order }[],
  results: Results,
): Promise<void> {
  const fitting = fresh.filter(({ update, order }) => {
    const fits = !isTooLarge(JSON.stringify(order));
    if (!fits) results.set(update, { outcome: 'too-large' });
    return fits;
  });
  if (fitting.length === 0) return;
  const overflow = await ordering.statusCounters.findOverflow(
    tx,
    fitting.map(({ order }) => order),
  );
  const ready = fitting.map(
    ({ update, order }): ReadyOrder => ({
      order,
      json: withRaw(order, update.raw),
      isOverflow: overflow.has(order.id),
    }),
  );
  const placed = await writeOrders(tx, ordering.clock, ready);
  for (const { update, order } of fitting) {
    results.set(update, placed.has(order.id) ? { outcome: 'created', ...resultOf(order) } : { outcome: 'contended' });
  }
}

function resultOf({ id, total_amount, products }: Order): { orderId: string; isWithoutLines: boolean } {
  return { orderId: id, isWithoutLines: total_amount > 0 && products.length === 0 };
}

/** The vendor's text is inserted unparsed, so that the digits of its numbers stay the same. */
function withRaw(order: Order, raw: string | undefined): string {
  const { raw: _none, ...rest } = order;
  return `${JSON.stringify(rest).slice(0, -1)},"raw":${raw ?? 'null'}}`;
}
