import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OrderInput } from '../../../src/modules/orders/schema.ts';

export function verifyVendorCall(body: Buffer, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

type VendorAddress = Record<'first_name' | 'last_name' | 'email' | 'phone', string>;
type VendorOrder = {
  id: number;
  number: string;
  currency: string;
  total: string;
  total_tax: string;
  shipping_total: string;
  discount_total: string;
  date_created_gmt: string;
  customer_note: string;
  billing: VendorAddress;
  shipping: VendorAddress;
  line_items: { sku: string; name: string; quantity: number; price: number; product_id: number }[];
};

/** The payload of bench/ingest/payloads.ts, field by field and without checks. */
export function readVendorOrder(text: string, installId: string): OrderInput {
  const vendor = JSON.parse(text) as VendorOrder;
  return {
    source: installId,
    source_transaction_id: String(vendor.id),
    source_reference: vendor.number,
    source_timestamp: `${vendor.date_created_gmt}Z`,
    order_status: 'RECEIVED',
    payment_status: 'pending',
    fulfillment_status: 'None',
    currency: vendor.currency,
    total_amount: Number(vendor.total),
    vat_amount: Number(vendor.total_tax),
    delivery_fee: Number(vendor.shipping_total),
    discounts_amount: Number(vendor.discount_total),
    customer_name: `${vendor.billing.first_name} ${vendor.billing.last_name}`,
    customer_phone: vendor.billing.phone,
    customer_email: vendor.billing.email,
    receiver_name: `${vendor.shipping.first_name} ${vendor.shipping.last_name}`,
    receiver_phone: vendor.shipping.phone,
    shipping_address: vendor.shipping,
    comment: vendor.customer_note,
    skus: vendor.line_items.map(({ sku }) => sku),
    products: vendor.line_items.map(({ sku, name, quantity, price, product_id }) => ({
      product_id: String(product_id),
      sku_id: sku,
      name,
      quantity,
      price,
    })),
  };
}
