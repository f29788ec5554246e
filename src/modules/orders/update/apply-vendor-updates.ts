import type { Tx } from '../../../platform/database/index.ts';
import type { OrderChannel } from '../../apps/index.ts';
import { NO_BRANCH, type Order, type OrderBranch, type ReadyOrder } from '../order.ts';
import { changedFields } from '../order-change.ts';
import { canonicalStatus, isOpenStatus, lastKnownAfter, mayMove } from '../order-status.ts';
import type { Ordering } from '../ordering.ts';
import { type PaymentState, paymentFactsOf, paymentStateOf, withPaymentFact } from '../payment-state.ts';
import { buildOrder, replaceableFields } from '../place/build-order.ts';
import { isTooLarge } from '../place/prepare-orders.ts';
import { writeOrders } from '../place/write-orders.ts';
import type { OrderInput } from '../schema.ts';
import { lockTransactions, type OrderRevision, saveRevisions } from '../sql/apply-vendor-updates.ts';
import { type OrderMove, saveChanges } from './change-orders.ts';
import { mergedBranch, mergedInput } from './merge-order-update.ts';

type UpdatedFields = Omit<OrderInput, 'order_status' | 'payment_status' | 'fulfillment_status'>;

/** An update of one order from the payload of its vendor. */
export type OrderUpdate = {
  transactionId: string;
  /** Decides which of two updates is the later one. */
  revision: number;
  /** The payload has no modification time: `revision` is its arrival time. */
  isRevisionArrivalTime?: boolean | undefined;
  /** Undefined: the status stays; a new order is RECEIVED. */
  status: string | undefined;
  /** The status when the order is a pickup order, where the vendor's word has another meaning. */
  statusOfPickup?: string | undefined;
  paymentStatus: string | undefined;
  fulfillmentStatus: string | undefined;
  /** All fields of a new order but its statuses. Undefined for a payload that carries only a status. */
  order: UpdatedFields | undefined;
  /** Of those, the fields that the payload contains: a stored order keeps the others. */
  mentioned?: Partial<UpdatedFields> | undefined;
  /** Statuses of a new order when the payload contains none. */
  newOrderStatuses?: Partial<Pick<OrderUpdate, 'status' | 'paymentStatus' | 'fulfillmentStatus'>> | undefined;
  /** The path of a field that a new order requires and the payload lacks. */
  missing?: string | undefined;
  /** The payload lacks lines or total. The stored payload, which status pushes are built from, is kept instead. */
  isPartial?: boolean | undefined;
  /** The payload names the store of the order. */
  isStoreNamed?: boolean | undefined;
  branch: OrderBranch | undefined;
  /** The vendor's payload as JSON text. */
  raw: string | undefined;
};

export type UpdateResult =
  /** `isWithoutLines`: the order has a total above 0 and no lines. */
  | { outcome: 'created' | 'updated' | 'unchanged'; orderId: string; isWithoutLines: boolean }
  /** A new order needs the missing field. */
  | { outcome: 'incomplete'; missing: string }
  /** A status for an order that has not arrived. */
  | { outcome: 'unknown' }
  /** Larger than an order may be. */
  | { outcome: 'too-large' }
  /** Another transaction is placing the same order. */
  | { outcome: 'contended' };

type Owner = { organizationId: string; channel: OrderChannel };

/**
 * Applies the updates of one install in the given order. An update older than the stored revision changes nothing. A status follows
 * the same transitions as everywhere, except that a vendor may cancel any of its orders; when a transition is not allowed, the
 * statuses stay and the other fields are updated. The caller holds the lock of the install and notifies the outbox after commit.
 */
export async function applyVendorUpdates(
  tx: Tx,
  ordering: Ordering,
  owner: Owner,
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
  owner: Owner,
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

function newOrder({ organizationId, channel }: Owner, update: OrderUpdate, now: Date): Order {
  const statuses = {
    order_status: update.status ?? 'RECEIVED',
    payment_status: null,
    fulfillment_status: update.fulfillmentStatus ?? 'None',
  };
  // The caller has checked that it is defined.
  const input = { ...(update.order as OrderInput), ...statuses };
  const order = buildOrder(organizationId, input, update.branch ?? NO_BRANCH, channel, now);
  // Connectors use payment statuses that the request body does not accept.
  return {
    ...order,
    payment_status: update.paymentStatus ?? 'pending',
    source_revision: revisionAfter({ source_revision: null }, update),
  };
}

/**
 * The revision after an update. A partial payload without a modification time keeps the stored one: with its arrival time, a full
 * payload that the vendor made before and that arrives later would count as outdated.
 */
function revisionAfter(before: Pick<Order, 'source_revision'>, update: OrderUpdate): number {
  const keepsRevision = update.isPartial === true && update.isRevisionArrivalTime === true;
  return keepsRevision ? (before.source_revision ?? 0) : update.revision;
}

function orderAfter(before: Order, update: OrderUpdate, now: Date): Order {
  const isPickup = update.statusOfPickup !== undefined && before.fulfillment_method === 'pickup';
  const wanted = isPickup ? update.statusOfPickup : update.status;
  const status = statusAfter(before, wanted);
  const isOvertaken = wanted !== undefined && canonicalStatus(wanted) !== canonicalStatus(status);
  const statuses = {
    order_status: status,
    ...(isOvertaken ? otherStatusesWhenOvertaken(before, update) : otherStatusesAfter(before, update)),
    is_open: isOpenStatus(status),
    last_known_status: lastKnownAfter(before, status),
    updated_at: now,
  };
  if (update.order === undefined) return { ...before, ...statuses };
  const merged = mergedInput(before, update.mentioned ?? update.order);
  const input = { ...merged, order_status: status, payment_status: null, fulfillment_status: 'None' };
  const branch = mergedBranch(before, update.branch, update.isStoreNamed ?? true);
  return { ...before, ...replaceableFields(before, input, branch), raw: before.raw, ...statuses };
}

type OtherStatuses = Pick<Order, 'payment_status' | 'payment_facts' | 'fulfillment_status'>;

function otherStatusesAfter(before: Order, { paymentStatus, fulfillmentStatus }: OrderUpdate): OtherStatuses {
  return { ...paymentAfter(before, paymentStatus), fulfillment_status: fulfillmentStatus ?? before.fulfillment_status };
}

/**
 * Next to an overtaken order status, the other statuses are outdated too: most vendors derive them from it. Payments and refunds
 * count whenever they are reported.
 */
function otherStatusesWhenOvertaken(before: Order, { paymentStatus }: OrderUpdate): OtherStatuses {
  const { payment_status, fulfillment_status } = before;
  const isNews = paymentStatus === 'refunded' || (paymentStatus === 'paid' && payment_status === 'pending');
  return { ...paymentAfter(before, isNews ? paymentStatus : undefined), fulfillment_status };
}

/** The vendor's payment status is one fact among those of other sources. From its first payload on, the order's source is the vendor. */
function paymentAfter(before: Order, paymentStatus: string | undefined): PaymentState {
  const isFirst = before.source_revision === null && before.payment_facts === null;
  const known = isFirst ? { ...before, payment_facts: paymentFactsOf(before) } : before;
  return paymentStatus === undefined
    ? paymentStateOf(known)
    : withPaymentFact(known, { source: 'vendor', status: paymentStatus });
}

function statusAfter(before: Order, wanted: string | undefined): string {
  if (wanted === undefined || canonicalStatus(wanted) === canonicalStatus(before.order_status))
    return before.order_status;
  return canonicalStatus(wanted) === 'cancelled' || mayMove(before, wanted) ? wanted : before.order_status;
}

/** The vendor's text is inserted unparsed, so that the digits of its numbers stay the same. */
function withRaw(order: Order, raw: string | undefined): string {
  const { raw: _none, ...rest } = order;
  return `${JSON.stringify(rest).slice(0, -1)},"raw":${raw ?? 'null'}}`;
}
