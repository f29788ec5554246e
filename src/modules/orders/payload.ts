import { type Clock, formatNanoseconds } from '../../platform/clock.ts';
import type { Order } from './order.ts';
import { ORDER_FIELD_NAMES, type OrderFieldName } from './order-fields.ts';
import { compileShown } from './show-fields.ts';

export const READ_SPEC_VERSION = '2026-04-01';

/** The `order` object of every read envelope, with its keys in the order of the interface. */
export const orderPayload = compileShown(
  Object.fromEntries(ORDER_FIELD_NAMES.map((name) => [name, name])) as { [Name in OrderFieldName]: Name },
);

export function orderSnapshot(order: Order, nowNs: bigint) {
  return {
    spec_version: READ_SPEC_VERSION,
    event_id: `snapshot-${order.id}-${nowNs}`,
    event_type: 'order.snapshot',
    occurred_at: formatNanoseconds(nowNs),
    ...snapshotRest(order),
  };
}

/** What follows the head of an order in a list. */
export function snapshotRest(order: Order) {
  return {
    organization_id: order.organization_id,
    organization_app_id: order.organization_app_id,
    app_slug: order.app_slug,
    order: orderPayload(order),
  };
}

/**
 * The format of a list: its envelope, and each order in two parts. The head differs from one answer to the next; the rest is a function
 * of the order alone. The head is ASCII, and opens the object that the rest continues.
 */
export type ListForm = {
  envelope: Record<string, unknown> & { orders: never[] };
  headOf(id: string): string;
  restOf(order: Order): object;
};

export type Pagination = {
  page: number;
  per_page: number;
  total_items: number;
  total_pages: number;
  has_next: boolean;
  has_prev: boolean;
};

export function pagination(page: number, perPage: number, totalItems: number): Pagination {
  const totalPages = Math.ceil(totalItems / perPage);
  return {
    page,
    per_page: perPage,
    total_items: totalItems,
    total_pages: totalPages,
    has_next: page < totalPages,
    has_prev: page > 1,
  };
}

/** The head of each order is its snapshot up to the fields that are the same until the order changes. */
export function orderListForm(clock: Clock, organizationId: string, pages: Pagination): ListForm {
  const nowNs = clock.nowNanoseconds();
  const occurredAt = formatNanoseconds(nowNs);
  const before = `{"spec_version":"${READ_SPEC_VERSION}","event_id":"snapshot-`;
  const after = `-${nowNs}","event_type":"order.snapshot","occurred_at":"${occurredAt}",`;
  return {
    envelope: {
      spec_version: READ_SPEC_VERSION,
      event_type: 'orders.listed',
      occurred_at: occurredAt,
      organization_id: organizationId,
      orders: [],
      pagination: pages,
      meta: {},
    },
    headOf: (id) => before + id + after,
    restOf: snapshotRest,
  };
}
