import { type CsvCell, writeCsv } from '../../../platform/csv/index.ts';
import { canonicalPaymentStatus, canonicalStatus } from '../order-status.ts';
import type { ExportedOrder } from '../sql/list-orders.ts';

/** The columns of an export, in order. */
const COLUMNS: Record<string, (order: ExportedOrder) => CsvCell> = {
  id: (order) => order.id,
  order_code: (order) => order.order_code,
  created_at: (order) => order.created_at.toISOString(),
  updated_at: (order) => order.updated_at.toISOString(),
  app_slug: (order) => order.app_slug,
  source: (order) => order.source,
  source_reference: (order) => order.source_reference,
  source_transaction_id: (order) => order.source_transaction_id,
  source_timestamp: (order) => order.source_timestamp?.toISOString() ?? null,
  destination_id: (order) => order.destination_id,
  store_name: (order) => order.store_name,
  status: (order) => canonicalStatus(order.order_status),
  order_status: (order) => order.order_status,
  normalised_payment_status: (order) => canonicalPaymentStatus(order.payment_status),
  payment_status: (order) => order.payment_status,
  fulfillment_status: (order) => order.fulfillment_status,
  fulfillment_method: (order) => order.fulfillment_method,
  payment_method: (order) => order.payment_method,
  currency: (order) => order.currency,
  subtotal: (order) => order.subtotal,
  discounts_amount: (order) => order.discounts_amount,
  vat_amount: (order) => order.vat_amount,
  delivery_fee: (order) => order.delivery_fee,
  service_fee: (order) => order.service_fee,
  total_amount: (order) => order.total_amount,
  customer_name: (order) => order.customer_name,
  customer_phone: (order) => order.customer_phone,
  customer_email: (order) => order.customer_email,
  receiver_name: (order) => order.receiver_name,
  receiver_phone: (order) => order.receiver_phone,
  skus: (order) => order.skus.join(' | '),
  promised_for: (order) => order.promised_for?.toISOString() ?? null,
  comment: (order) => order.comment,
};

const cells = Object.values(COLUMNS);

// Without the byte order mark Excel takes Arabic for something else.
const BYTE_ORDER_MARK = '\uFEFF';

export function csvHead(): string {
  return BYTE_ORDER_MARK + writeCsv([Object.keys(COLUMNS)]);
}

export function csvText(orders: ExportedOrder[]): string {
  return writeCsv(orders.map((order) => cells.map((cell) => cell(order))));
}
