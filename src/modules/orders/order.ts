import type { OrderChannel } from '../apps/index.ts';
import type { CanonicalStatus } from './order-status.ts';
import type { PaymentFacts } from './payment-state.ts';

/** A line item as it is kept: the client's own object, with the five known fields checked. */
export type OrderLine = {
  product_id: string;
  sku_id: string;
  name?: string | null;
  quantity?: number;
  price?: number;
  [other: string]: unknown;
};

/** An order as the table holds it. Field names are the payload's, so that they can be compared and named as they are. */
export type Order = {
  organization_id: string;
  id: string;
  source: string;
  organization_app_id: string;
  app_slug: string;
  channel_family: string;
  channel_kind: string;
  source_reference: string | null;
  source_transaction_id: string | null;
  source_timestamp: Date | null;
  destination_id: string | null;
  destination_reference: string | null;
  store_name: string | null;
  order_status: string;
  payment_status: string;
  fulfillment_status: string;
  fulfillment_method: string | null;
  payment_method: string | null;
  currency: string;
  total_amount: number;
  discounts_amount: number;
  vat_amount: number;
  delivery_fee: number;
  service_fee: number;
  subtotal: number;
  customer_name: string | null;
  customer_phone: string | null;
  customer_email: string | null;
  receiver_name: string | null;
  receiver_phone: string | null;
  skus: string[];
  products: OrderLine[];
  shipping_address: object | null;
  order_code: string;
  order_type: string | null;
  transport_type: string | null;
  comment: string | null;
  promised_for: Date | null;
  is_preorder: boolean;
  dispatch_routing: object | null;
  shipping_fulfillment: object | null;
  /** As text, so that its digits stay what they were. */
  raw: string | null;
  /** Which of two updates of a vendor is the later one. */
  source_revision: number | null;
  is_open: boolean;
  /** See order-status.ts: set only while `order_status` is an unknown word. */
  last_known_status: CanonicalStatus | null;
  /** See payment-state.ts: null while the status by itself says all that is known of the payment. */
  payment_facts: PaymentFacts | null;
  search_text: string;
  created_at: Date;
  updated_at: Date;
};

/** An order that lacks nothing but its row, with the JSON that the statement takes. */
export type ReadyOrder = {
  order: Order;
  json: string;
  /** Its words are not counted by themselves: see counted-words.ts. */
  isOverflow: boolean;
};

export const DIRECT_CHANNEL: OrderChannel = {
  organization_app_id: '',
  app_slug: 'api',
  channel_family: 'api',
  channel_kind: 'direct',
};
