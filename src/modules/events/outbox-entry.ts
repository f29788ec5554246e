import type { EventType } from './event-types.ts';

/** A change of an order, as its writer describes it. */
export type OrderChange = {
  organizationId: string;
  orderId: string;
  /** Whose event it is, for accounts confined to a branch. */
  branchId: string | null;
  type: EventType;
  occurredAtUs: bigint;
  changedFields: string[];
  statusFrom: string;
  statusTo: string;
  paymentStatusFrom: string;
  paymentStatusTo: string;
  /** The canonical order as JSON text: serialised once, and all readers get these bytes. */
  orderJson: string;
};

/**
 * The change as a row of order_changes. `tail` is the event's text after its cursor; the text before it is made of the other columns and
 * of the positions that the publisher gives, by the view order_events.
 */
export type OutboxEntry = {
  organization_id: string;
  order_id: string;
  branch_id: string | null;
  type: EventType;
  occurred_us: string;
  tail: string;
};

export function outboxEntry(change: OrderChange): OutboxEntry {
  const after = {
    order_id: change.orderId,
    change: change.type.slice('order.'.length),
    changed_fields: change.changedFields,
    status_from: change.statusFrom,
    status_to: change.statusTo,
    payment_status_from: change.paymentStatusFrom,
    payment_status_to: change.paymentStatusTo,
  };
  return {
    organization_id: change.organizationId,
    order_id: change.orderId,
    branch_id: change.branchId,
    type: change.type,
    occurred_us: change.occurredAtUs.toString(),
    tail: `",${JSON.stringify(after).slice(1, -1)},"order":${change.orderJson}}`,
  };
}

/** RFC 3339 with six fractional digits, in UTC. */
export function formatMicroseconds(epochUs: bigint): string {
  const ms = Number(epochUs / 1000n);
  return `${new Date(ms).toISOString().slice(0, -1)}${(epochUs % 1000n).toString().padStart(3, '0')}Z`;
}
