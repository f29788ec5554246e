import type { Queryable } from '../../../platform/database/index.ts';

/** All of an order but the vendor's payload, which is large and seldom wanted. */
export const orderColumns = (sql: Queryable) => sql`
  o.organization_id, o.id, o.source, o.organization_app_id, o.app_slug, o.channel_family, o.channel_kind,
  o.source_reference, o.source_transaction_id, o.source_timestamp, o.destination_id, o.destination_reference,
  o.store_name, o.order_status, o.payment_status, o.fulfillment_status, o.fulfillment_method, o.payment_method,
  o.currency, o.total_amount, o.discounts_amount, o.vat_amount, o.delivery_fee, o.service_fee, o.subtotal,
  o.customer_name, o.customer_phone, o.customer_email, o.receiver_name, o.receiver_phone, o.skus, o.products,
  o.shipping_address, o.order_code, o.order_type, o.transport_type, o.comment, o.promised_for, o.is_preorder,
  o.dispatch_routing, o.shipping_fulfillment, o.is_open, o.last_known_status, o.payment_facts, o.search_text,
  o.source_revision, o.created_at, o.updated_at`;
