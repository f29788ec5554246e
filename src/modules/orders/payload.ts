import { type Clock, formatNanoseconds } from '../../platform/clock.ts';
import type { Order } from './order.ts';

export const READ_SPEC_VERSION = '2026-04-01';

/** The `order` object of every read envelope. Keys stand in the order in which the interface lists them. */
export function orderPayload(order: Order) {
  return {
    id: order.id,
    organization_id: order.organization_id,
    source_reference: order.source_reference,
    source_transaction_id: order.source_transaction_id,
    source_timestamp: order.source_timestamp?.toISOString() ?? null,
    destination_id: order.destination_id,
    destination_reference: order.destination_reference,
    order_status: order.order_status,
    fulfillment_status: order.fulfillment_status,
    payment_status: order.payment_status,
    fulfillment_method: order.fulfillment_method,
    payment_method: order.payment_method,
    currency: order.currency,
    total_amount: order.total_amount,
    discounts_amount: order.discounts_amount,
    vat_amount: order.vat_amount,
    customer_name: order.customer_name,
    customer_phone: order.customer_phone,
    customer_email: order.customer_email,
    receiver_name: order.receiver_name,
    receiver_phone: order.receiver_phone,
    skus: order.skus,
    products: order.products,
    shipping_address: order.shipping_address,
    order_code: order.order_code,
    order_type: order.order_type,
    transport_type: order.transport_type,
    comment: order.comment,
    promised_for: order.promised_for?.toISOString() ?? null,
    is_preorder: order.is_preorder,
    delivery_fee: order.delivery_fee,
    service_fee: order.service_fee,
    subtotal: order.subtotal,
    store_name: order.store_name,
    dispatch_routing: order.dispatch_routing,
    shipping_fulfillment: order.shipping_fulfillment,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  };
}

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
