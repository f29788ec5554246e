import { type Stringifier, stringify } from 'csv-stringify';
import type { Order } from './order.ts';
import { canonicalPaymentStatus, canonicalStatus } from './order-status.ts';

type Cell = string | number | null;

/** The columns of an export, in order. */
const COLUMNS: Record<string, (order: Order) => Cell> = {
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

export function csvRow(order: Order): Cell[] {
  return cells.map((cell) => cell(order));
}

/** Room for a usual export in full, so that the database is done with it however slowly the client reads. */
const BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Takes rows, gives text. Made for the spreadsheet that opens it: without the byte order mark Excel takes Arabic for
 * something else, and a buyer who calls himself `=HYPERLINK(...)` stays text because a quote is put before him.
 */
export function createCsvWriter(): Stringifier {
  return stringify({
    bom: true,
    header: true,
    columns: Object.keys(COLUMNS),
    record_delimiter: 'windows',
    escape_formulas: true,
    readableHighWaterMark: BUFFERED_BYTES,
  });
}
