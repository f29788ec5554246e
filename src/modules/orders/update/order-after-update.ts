import { updatedAfter } from '../../../platform/http/preconditions.ts';
import type { OrderChannel } from '../../apps/index.ts';
import { NO_BRANCH, type Order } from '../order.ts';
import { canonicalStatus, isOpenStatus, lastKnownAfter, mayMove } from '../order-status.ts';
import { type PaymentState, paymentFactsOf, paymentStateOf, withPaymentFact } from '../payment-state.ts';
import { buildOrder, replaceableFields } from '../place/build-order.ts';
import type { OrderInput } from '../schema.ts';
import { mergedBranch, mergedInput } from './merge-order-update.ts';
import type { OrderUpdate } from './order-update.ts';

/** The tenant and the install of a vendor's order. */
export type VendorOwner = { organizationId: string; channel: OrderChannel };

/** A new order from its first payload. */
export function newOrder({ organizationId, channel }: VendorOwner, update: OrderUpdate, now: Date): Order {
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
export function revisionAfter(before: Pick<Order, 'source_revision'>, update: OrderUpdate): number {
  const keepsRevision = update.isPartial === true && update.isRevisionArrivalTime === true;
  return keepsRevision ? (before.source_revision ?? 0) : update.revision;
}

/** A stored order after an update. */
export function orderAfter(before: Order, update: OrderUpdate, now: Date): Order {
  const isPickup = update.statusOfPickup !== undefined && before.fulfillment_method === 'pickup';
  const wanted = isPickup ? update.statusOfPickup : update.status;
  const status = statusAfter(before, wanted);
  const isOvertaken = wanted !== undefined && canonicalStatus(wanted) !== canonicalStatus(status);
  const statuses = {
    order_status: status,
    ...(isOvertaken ? otherStatusesWhenOvertaken(before, update) : otherStatusesAfter(before, update)),
    is_open: isOpenStatus(status),
    last_known_status: lastKnownAfter(before, status),
    updated_at: updatedAfter(before.updated_at, now),
  };
  if (update.order === undefined) return { ...before, ...statuses };
  const merged = mergedInput(before, update.mentioned ?? update.order);
  const input = { ...merged, order_status: status, payment_status: null, fulfillment_status: 'None' };
  const branch = mergedBranch(before, update.branch, update.isStoreNamed ?? true);
  return { ...before, ...replaceableFields(input, branch), raw: before.raw, ...statuses };
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
  const isPaymentOrRefund = paymentStatus === 'refunded' || (paymentStatus === 'paid' && payment_status === 'pending');
  return { ...paymentAfter(before, isPaymentOrRefund ? paymentStatus : undefined), fulfillment_status };
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
