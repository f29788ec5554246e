import type { EventType, OrderChange } from '../events/index.ts';
import { canonicalOrder } from './canonical/canonical-order.ts';
import type { Order } from './order.ts';
import { TRACKED_FIELD_NAMES } from './order-fields.ts';
import { canonicalPaymentStatus, canonicalStatus } from './order-status.ts';

export function changedFields(before: Order, after: Order): string[] {
  return TRACKED_FIELD_NAMES.filter((field) => !isSame(before[field], after[field]));
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return JSON.stringify(one, sortedKeys) === JSON.stringify(other, sortedKeys);
}

// Another order of the keys is no change.
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function creationOf(order: Order, occurredAtUs: bigint): OrderChange {
  return {
    ...eventOf(order, order, occurredAtUs),
    type: 'order.created',
    changedFields: [],
    statusFrom: '',
    paymentStatusFrom: '',
  };
}

export function deletionOf(order: Order, occurredAtUs: bigint): OrderChange {
  return { ...eventOf(order, order, occurredAtUs), type: 'order.deleted', changedFields: [] };
}

/** The order itself has not changed: the event carries its current state. */
export function invoicingOf(order: Order, occurredAtUs: bigint): OrderChange {
  return { ...eventOf(order, order, occurredAtUs), type: 'order.invoiced', changedFields: [] };
}

/**
 * The events of one write: one event of the most specific type that fits, and one more for the branch that an order has left.
 * The latter shows the order as that branch last saw it: the branch must not learn what changed since, nor where the order went.
 */
export function changesOf(before: Order, after: Order, fields: string[], occurredAtUs: bigint): OrderChange[] {
  const change: OrderChange = {
    ...eventOf(before, after, occurredAtUs),
    type: mostSpecificType(before, after),
    changedFields: fields,
  };
  if (before.destination_id === after.destination_id || before.destination_id === null) return [change];
  const departure: OrderChange = {
    ...eventOf(before, before, occurredAtUs),
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

function eventOf(before: Order, after: Order, occurredAtUs: bigint): Omit<OrderChange, 'type' | 'changedFields'> {
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
