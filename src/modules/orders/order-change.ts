import type { EventType, OrderChange } from '../events/index.ts';
import { canonicalOrder } from './canonical/canonical-order.ts';
import type { Order } from './order.ts';
import { canonicalPaymentStatus, canonicalStatus } from './order-status.ts';

/** Fields that a reader of the payload can see change. Times of record and derived columns are not among them. */
const TOLD_FIELDS = [
  'source_reference',
  'source_transaction_id',
  'source_timestamp',
  'destination_id',
  'destination_reference',
  'order_status',
  'fulfillment_status',
  'payment_status',
  'fulfillment_method',
  'payment_method',
  'currency',
  'total_amount',
  'discounts_amount',
  'vat_amount',
  'customer_name',
  'customer_phone',
  'customer_email',
  'receiver_name',
  'receiver_phone',
  'skus',
  'products',
  'shipping_address',
  'order_type',
  'transport_type',
  'comment',
  'promised_for',
  'is_preorder',
  'delivery_fee',
  'service_fee',
  'subtotal',
  'store_name',
  'dispatch_routing',
  'shipping_fulfillment',
] as const satisfies readonly (keyof Order)[];

export function changedFields(before: Order, after: Order): string[] {
  return TOLD_FIELDS.filter((field) => !isSame(before[field], after[field]));
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return JSON.stringify(one, sortedKeys) === JSON.stringify(other, sortedKeys);
}

// The order of keys is not a change.
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function creationOf(order: Order, occurredAtUs: bigint): OrderChange {
  return {
    ...told(order, order, occurredAtUs),
    type: 'order.created',
    changedFields: [],
    statusFrom: '',
    paymentStatusFrom: '',
  };
}

export function deletionOf(order: Order, occurredAtUs: bigint): OrderChange {
  return { ...told(order, order, occurredAtUs), type: 'order.deleted', changedFields: [] };
}

/** Nothing of the order itself has changed: it is told as it is. */
export function invoicingOf(order: Order, occurredAtUs: bigint): OrderChange {
  return { ...told(order, order, occurredAtUs), type: 'order.invoiced', changedFields: [] };
}

/**
 * What one write tells: one event, the most specific that fits; and one more for the branch an order has left. That one
 * shows the order as the branch knew it: what became of it since, and where, is no longer that branch's business.
 */
export function changesOf(before: Order, after: Order, fields: string[], occurredAtUs: bigint): OrderChange[] {
  const change: OrderChange = {
    ...told(before, after, occurredAtUs),
    type: mostSpecificType(before, after),
    changedFields: fields,
  };
  if (before.destination_id === after.destination_id || before.destination_id === null) return [change];
  const departure: OrderChange = {
    ...told(before, before, occurredAtUs),
    type: 'order.departed',
    changedFields: ['destination_id'],
  };
  return [departure, change];
}

function mostSpecificType(before: Order, after: Order): EventType {
  const statusMoved = canonicalStatus(before.order_status) !== canonicalStatus(after.order_status);
  const payment = canonicalPaymentStatus(after.payment_status);
  if (statusMoved && canonicalStatus(after.order_status) === 'cancelled') return 'order.cancelled';
  if (payment === 'refunded' && canonicalPaymentStatus(before.payment_status) !== 'refunded') return 'order.refunded';
  return statusMoved ? 'order.status_changed' : 'order.updated';
}

function told(before: Order, after: Order, occurredAtUs: bigint): Omit<OrderChange, 'type' | 'changedFields'> {
  return {
    organizationId: after.organization_id,
    orderId: after.id,
    branchId: after.destination_id,
    occurredAtUs,
    statusFrom: canonicalStatus(before.order_status),
    statusTo: canonicalStatus(after.order_status),
    paymentStatusFrom: canonicalPaymentStatus(before.payment_status),
    paymentStatusTo: canonicalPaymentStatus(after.payment_status),
    orderJson: JSON.stringify(canonicalOrder(after)),
  };
}
