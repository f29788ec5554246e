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
    organization_id: order.organization_id,
    organization_app_id: order.organization_app_id,
    app_slug: order.app_slug,
    order: orderPayload(order),
  };
}

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

export function orderListForm(clock: Clock, organizationId: string, pages: Pagination) {
  const nowNs = clock.nowNanoseconds();
  const envelope = {
    spec_version: READ_SPEC_VERSION,
    event_type: 'orders.listed',
    occurred_at: formatNanoseconds(nowNs),
    organization_id: organizationId,
    orders: [],
    pagination: pages,
    meta: {},
  };
  return { envelope, show: (order: Order) => orderSnapshot(order, nowNs) };
}
