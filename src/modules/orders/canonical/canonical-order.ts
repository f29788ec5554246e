import { rawJsonValue } from '../../../platform/inbound/index.ts';
import { decimal, multiply, roundToCurrency, toNumber } from '../../../platform/money.ts';
import { EVENT_SPEC_VERSION } from '../../events/index.ts';
import type { Order, OrderLine } from '../order.ts';
import { canonicalPaymentStatus, canonicalStatus } from '../order-status.ts';
import type { Pagination } from '../payload.ts';

/** The same order whatever channel it came through: normalised words beside the stored ones. */
export function canonicalOrder(order: Order, options: { raw?: boolean } = {}) {
  return {
    id: order.id,
    channel: {
      app_slug: order.app_slug,
      family: order.channel_family,
      kind: order.channel_kind,
      organization_app_id: order.organization_app_id,
      source: order.source,
    },
    external: {
      order_id: order.source_transaction_id,
      reference: order.source_reference,
      code: order.order_code,
      placed_at: (order.source_timestamp ?? order.created_at).toISOString(),
    },
    status: canonicalStatus(order.order_status),
    status_raw: order.order_status,
    payment: {
      status: canonicalPaymentStatus(order.payment_status),
      status_raw: order.payment_status,
      method: order.payment_method,
    },
    fulfillment: {
      status_raw: order.fulfillment_status,
      method: order.fulfillment_method,
      type: order.order_type,
      transport: order.transport_type,
      promised_for: order.promised_for?.toISOString() ?? null,
      is_preorder: order.is_preorder,
    },
    amounts: {
      currency: order.currency,
      subtotal: order.subtotal,
      discounts: order.discounts_amount,
      vat: order.vat_amount,
      delivery_fee: order.delivery_fee,
      service_fee: order.service_fee,
      total: order.total_amount,
    },
    lines: order.products.map((line) => canonicalLine(line, order.currency)),
    branch: { id: order.destination_id, reference: order.destination_reference, name: order.store_name },
    customer: { name: order.customer_name, phone: order.customer_phone, email: order.customer_email },
    receiver: { name: order.receiver_name, phone: order.receiver_phone },
    shipping_address: order.shipping_address,
    comment: order.comment,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    ...(options.raw ? { raw: order.raw === null ? null : rawJsonValue(order.raw) } : {}),
  };
}

export type CanonicalOrder = ReturnType<typeof canonicalOrder>;

export function canonicalLine(line: OrderLine, currency: string) {
  const quantity = line.quantity ?? 1;
  const unitPrice = line.price ?? 0;
  return {
    product_id: line.product_id,
    sku_id: line.sku_id,
    name: line.name ?? null,
    quantity,
    unit_price: unitPrice,
    total: toNumber(roundToCurrency(multiply(decimal(quantity), decimal(unitPrice)), currency)),
  };
}

export function canonicalListForm(organizationId: string, pages: Pagination, options: { raw: boolean }) {
  const envelope = {
    spec_version: EVENT_SPEC_VERSION,
    organization_id: organizationId,
    orders: [],
    pagination: pages,
    meta: {},
  };
  return { envelope, show: (order: Order) => canonicalOrder(order, options) };
}

export function canonicalEnvelope(order: Order, options: { raw: boolean }) {
  return {
    spec_version: EVENT_SPEC_VERSION,
    organization_id: order.organization_id,
    order: canonicalOrder(order, options),
  };
}
