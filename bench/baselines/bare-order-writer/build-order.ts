import type { OrderInput } from '../../../src/modules/orders/schema.ts';

export type BareOrder = ReturnType<typeof buildBareOrder>;

/** Every column of the service's order, with its default where the input has none. */
export function buildBareOrder(organizationId: string, id: string, input: OrderInput, now: Date) {
  return {
    organization_id: organizationId,
    id,
    source: input.source ?? 'api',
    source_reference: input.source_reference ?? null,
    source_transaction_id: input.source_transaction_id ?? null,
    source_timestamp: input.source_timestamp ?? null,
    destination_id: null,
    destination_reference: input.destination_reference ?? null,
    store_name: null,
    order_status: input.order_status,
    payment_status: input.payment_status ?? 'pending',
    fulfillment_status: input.fulfillment_status,
    fulfillment_method: input.fulfillment_method ?? null,
    payment_method: input.payment_method ?? null,
    currency: input.currency ?? 'SAR',
    total_amount: input.total_amount ?? 0,
    discounts_amount: input.discounts_amount ?? 0,
    vat_amount: input.vat_amount ?? 0,
    delivery_fee: input.delivery_fee ?? 0,
    service_fee: input.service_fee ?? 0,
    subtotal: input.subtotal ?? 0,
    customer_name: input.customer_name ?? null,
    customer_phone: input.customer_phone ?? null,
    customer_email: input.customer_email ?? null,
    receiver_name: input.receiver_name ?? null,
    receiver_phone: input.receiver_phone ?? null,
    skus: input.skus,
    products: input.products,
    shipping_address: input.shipping_address ?? null,
    order_code: `DK-${now.toISOString().slice(2, 10).replaceAll('-', '')}-${id.slice(-6).toUpperCase()}`,
    order_type: input.order_type ?? null,
    transport_type: input.transport_type ?? null,
    comment: input.comment ?? null,
    promised_for: input.promised_for ?? null,
    is_preorder: input.is_preorder ?? false,
    dispatch_routing: input.dispatch_routing ?? null,
    shipping_fulfillment: input.shipping_fulfillment ?? null,
    created_at: now,
    updated_at: now,
  };
}

/** The order as a row, with the vendor's payload as it came. */
export function rowOf(order: BareOrder, payload?: string): string {
  const json = JSON.stringify(order);
  return payload === undefined ? json : `${json.slice(0, -1)},"raw":${payload}}`;
}

/** The event with the whole order in it, in the shape and size of the service's. */
export function buildEvent(order: BareOrder): string {
  const occurredAt = order.created_at.toISOString();
  return JSON.stringify({
    spec_version: '2026-09-29',
    type: 'order.created',
    occurred_at: occurredAt,
    organization_id: order.organization_id,
    order_id: order.id,
    change: 'created',
    changed_fields: [],
    status_from: '',
    status_to: 'received',
    payment_status_from: '',
    payment_status_to: 'pending',
    order: {
      id: order.id,
      channel: { app_slug: 'api', family: 'api', kind: 'direct', organization_app_id: '', source: order.source },
      external: {
        order_id: order.source_transaction_id,
        reference: order.source_reference,
        code: order.order_code,
        placed_at: occurredAt,
      },
      status: 'received',
      status_raw: order.order_status,
      payment: { status: 'pending', status_raw: order.payment_status, method: order.payment_method },
      fulfillment: {
        status_raw: order.fulfillment_status,
        method: order.fulfillment_method,
        type: order.order_type,
        transport: order.transport_type,
        promised_for: order.promised_for,
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
      lines: order.products.map(({ product_id, sku_id, name, quantity, price }) => ({
        product_id,
        sku_id,
        name: name ?? null,
        quantity: quantity ?? 1,
        unit_price: price ?? 0,
        total: (quantity ?? 1) * (price ?? 0),
      })),
      branch: { id: order.destination_id, reference: order.destination_reference, name: order.store_name },
      customer: { name: order.customer_name, phone: order.customer_phone, email: order.customer_email },
      receiver: { name: order.receiver_name, phone: order.receiver_phone },
      shipping_address: order.shipping_address,
      comment: order.comment,
      created_at: occurredAt,
      updated_at: occurredAt,
    },
  });
}
