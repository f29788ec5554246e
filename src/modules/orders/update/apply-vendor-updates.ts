import type { Tx } from '../../../platform/database/index.ts';
import type { OrderChannel } from '../../apps/index.ts';
import type { Order, ReadyOrder } from '../order.ts';
import { changedFields } from '../order-change.ts';
import { canonicalStatus, isOpenStatus, lastKnownAfter, mayMove } from '../order-status.ts';
import type { Ordering } from '../ordering.ts';
import { type PaymentState, paymentFactsOf, paymentStateOf, withPaymentFact } from '../payment-state.ts';
import { buildOrder, NOWHERE, type OrderPlace, replaceableFields } from '../place/build-order.ts';
import { isTooLarge } from '../place/prepare-orders.ts';
import { writeOrders } from '../place/write-orders.ts';
import type { OrderInput } from '../schema.ts';
import { keepTellings, lockTransactions } from '../sql/apply-vendor-updates.ts';
import { type OrderMove, saveChanges } from './change-orders.ts';
import { mergedInput, mergedPlace } from './merge-order-update.ts';

type UpdatedOrder = Omit<OrderInput, 'order_status' | 'payment_status' | 'fulfillment_status'>;

/** What a vendor says of one of its orders. */
export type OrderUpdate = {
  transactionId: string;
  /** Which of two updates is the later one. */
  revision: number;
  /** Nothing: the status stays, or is RECEIVED on a new order. */
  status: string | undefined;
  /** Where it means another thing for an order that the customer fetches. */
  statusOfPickup?: string | undefined;
  paymentStatus: string | undefined;
  fulfillmentStatus: string | undefined;
  /** All of a new order but its words; nothing for news of an order that is here already. */
  order: UpdatedOrder | undefined;
  /** Of those, the ones that the payload mentions: an order that is here already keeps the others. */
  mentioned?: Partial<UpdatedOrder> | undefined;
  /** What is meant by a payload that says nothing of them, for a new order alone. */
  wordsOfNew?: Partial<Pick<OrderUpdate, 'status' | 'paymentStatus' | 'fulfillmentStatus'>> | undefined;
  /** Where what a new order cannot be without is missing in the payload. */
  missing?: string | undefined;
  /** The payload leaves out lines or total: the stored one, which pushes are made from, is the better one to keep. */
  isPartial?: boolean | undefined;
  /** The payload says which store the order is for. */
  isStoreNamed?: boolean | undefined;
  place: OrderPlace | undefined;
  /** The vendor's payload as JSON text. */
  raw: string | undefined;
};

export type UpdateResult =
  /** `isWithoutLines`: the order has something to pay and nothing that was sold. */
  | { outcome: 'created' | 'updated' | 'unchanged'; orderId: string; isWithoutLines: boolean }
  /** A new order cannot be made of it: this is missing. */
  | { outcome: 'incomplete'; missing: string }
  /** News of an order that has not come yet. */
  | { outcome: 'unknown' }
  /** Larger than an order may be. */
  | { outcome: 'too-large' }
  /** Somebody else is placing the same order in this moment. */
  | { outcome: 'contended' };

type Owner = { organizationId: string; channel: OrderChannel };

/**
 * Takes in what one install's vendor says, in the order given, each once. Older than what is known changes nothing. A status
 * moves as any order's does, but that a vendor may cancel whatever it owns; where it may not follow, the words stay as they
 * are while the rest of the order is taken over. The caller holds the install's turn, and rings once it has committed.
 */
export async function applyVendorUpdates(
  tx: Tx,
  ordering: Ordering,
  owner: Owner,
  updates: readonly OrderUpdate[],
): Promise<UpdateResult[]> {
  const told = new Map<OrderUpdate, UpdateResult>();
  // Two updates of one order in a batch are two writes: the second sees what the first has done.
  let waiting = [...updates];
  while (waiting.length > 0) {
    const seen = new Set<string>();
    const round = waiting.filter(({ transactionId }) => !seen.has(transactionId) && seen.add(transactionId));
    waiting = waiting.filter((update) => !round.includes(update));
    await tellRound(tx, ordering, owner, round, told);
  }
  return updates.map((update) => told.get(update) ?? { outcome: 'contended' });
}

async function tellRound(
  tx: Tx,
  ordering: Ordering,
  owner: Owner,
  round: readonly OrderUpdate[],
  told: Map<OrderUpdate, UpdateResult>,
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
  const kept: { id: string; revision: number; raw: string | undefined }[] = [];
  const fresh: { update: OrderUpdate; order: Order }[] = [];
  for (const update of round) {
    const before = known.get(update.transactionId);
    if (before === undefined) {
      if (update.order === undefined) told.set(update, { outcome: 'unknown' });
      else if (update.missing !== undefined) told.set(update, { outcome: 'incomplete', missing: update.missing });
      else fresh.push({ update, order: newOrder(owner, { ...update, ...update.wordsOfNew }, now) });
      continue;
    }
    if (before.source_revision !== null && update.revision < before.source_revision) {
      told.set(update, { outcome: 'unchanged', ...keptOrder(before) });
      continue;
    }
    const after = orderAfter(before, update, now);
    if (isTooLarge(JSON.stringify(after))) {
      told.set(update, { outcome: 'too-large' });
      continue;
    }
    const isChanged = changedFields(before, after).length > 0;
    if (isChanged || after.payment_facts !== before.payment_facts) moves.push({ before, after });
    kept.push({ id: before.id, revision: update.revision, raw: update.isPartial ? undefined : update.raw });
    told.set(update, { outcome: isChanged ? 'updated' : 'unchanged', ...keptOrder(after) });
  }
  await placeFresh(tx, ordering, fresh, told);
  await saveChanges(tx, ordering, moves);
  if (kept.length > 0) await keepTellings(tx, organizationId, kept);
}

async function placeFresh(
  tx: Tx,
  ordering: Ordering,
  fresh: readonly { update: OrderUpdate; order: Order }[],
  told: Map<OrderUpdate, UpdateResult>,
): Promise<void> {
  const fitting = fresh.filter(({ update, order }) => {
    const fits = !isTooLarge(JSON.stringify(order));
    if (!fits) told.set(update, { outcome: 'too-large' });
    return fits;
  });
  if (fitting.length === 0) return;
  const rare = await ordering.statusCounters.findOverflow(
    tx,
    fitting.map(({ order }) => order),
  );
  const ready = fitting.map(
    ({ update, order }): ReadyOrder => ({ order, json: withRaw(order, update.raw), isOverflow: rare.has(order.id) }),
  );
  const placed = await writeOrders(tx, ordering.clock, ready);
  for (const { update, order } of fitting) {
    told.set(update, placed.has(order.id) ? { outcome: 'created', ...keptOrder(order) } : { outcome: 'contended' });
  }
}

function keptOrder({ id, total_amount, products }: Order): { orderId: string; isWithoutLines: boolean } {
  return { orderId: id, isWithoutLines: total_amount > 0 && products.length === 0 };
}

function newOrder({ organizationId, channel }: Owner, update: OrderUpdate, now: Date): Order {
  const words = {
    order_status: update.status ?? 'RECEIVED',
    payment_status: null,
    fulfillment_status: update.fulfillmentStatus ?? 'None',
  };
  // The caller has made sure that there is one.
  const input = { ...(update.order as OrderInput), ...words };
  const order = buildOrder(organizationId, input, update.place ?? NOWHERE, channel, now);
  // A connector's payment words are not those that the interface takes.
  return { ...order, payment_status: update.paymentStatus ?? 'pending', source_revision: update.revision };
}

function orderAfter(before: Order, update: OrderUpdate, now: Date): Order {
  const isPickup = update.statusOfPickup !== undefined && before.fulfillment_method === 'pickup';
  const said = isPickup ? update.statusOfPickup : update.status;
  const status = statusAfter(before, said);
  const isOutOfOrder = said !== undefined && canonicalStatus(said) !== canonicalStatus(status);
  const words = {
    order_status: status,
    ...(isOutOfOrder ? wordsOutOfOrder(before, update) : wordsAfter(before, update)),
    is_open: isOpenStatus(status),
    last_known_status: lastKnownAfter(before, status),
    updated_at: now,
  };
  if (update.order === undefined) return { ...before, ...words };
  const merged = mergedInput(before, update.mentioned ?? update.order);
  const input = { ...merged, order_status: status, payment_status: null, fulfillment_status: 'None' };
  const place = mergedPlace(before, update.place, update.isStoreNamed ?? true);
  return { ...before, ...replaceableFields(before, input, place), raw: before.raw, ...words };
}

type Words = Pick<Order, 'payment_status' | 'payment_facts' | 'fulfillment_status'>;

function wordsAfter(before: Order, { paymentStatus, fulfillmentStatus }: OrderUpdate): Words {
  return { ...paymentAfter(before, paymentStatus), fulfillment_status: fulfillmentStatus ?? before.fulfillment_status };
}

/**
 * Beside a status that was overtaken, the other words are as old: most vendors have them follow from it. But money that came
 * or was given back is news whenever it is told.
 */
function wordsOutOfOrder(before: Order, { paymentStatus }: OrderUpdate): Words {
  const { payment_status, fulfillment_status } = before;
  const isNews = paymentStatus === 'refunded' || (paymentStatus === 'paid' && payment_status === 'pending');
  return { ...paymentAfter(before, isNews ? paymentStatus : undefined), fulfillment_status };
}

/** The vendor's word is one fact among those of other sources. From its first payload on, the order's source is the vendor. */
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

/** The vendor's own text goes in as it is, so that its digits stay what they were. */
function withRaw(order: Order, raw: string | undefined): string {
  const { raw: _none, ...rest } = order;
  return `${JSON.stringify(rest).slice(0, -1)},"raw":${raw ?? 'null'}}`;
}
