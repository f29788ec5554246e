import { createHmac } from 'node:crypto';
import type { Request } from '../load/plan.ts';

export type BenchInstall = { id: string; organizationId: string; secret: string };

const PLACEHOLDER = 77_777_777_777;

/** An order as a shop sends it: of ordinary size, with fields that are not read. */
const ORDER = {
  id: PLACEHOLDER,
  parent_id: 0,
  status: 'processing',
  currency: 'SAR',
  version: '9.4.1',
  prices_include_tax: false,
  date_created_gmt: '2026-11-15T09:00:00',
  date_modified_gmt: '2026-11-15T09:05:00',
  discount_total: '0.00',
  discount_tax: '0.00',
  shipping_total: '15.00',
  shipping_tax: '2.25',
  cart_tax: '19.50',
  total: '166.75',
  total_tax: '21.75',
  customer_id: 1042,
  order_key: 'wc_order_hK2pQ8vXyZ1bT',
  billing: {
    first_name: 'نورة',
    last_name: 'العتيبي',
    company: '',
    address_1: 'طريق الملك فهد، حي العليا',
    address_2: 'مبنى 12، شقة 4',
    city: 'الرياض',
    state: 'Riyadh',
    postcode: '12214',
    country: 'SA',
    email: 'noura@shop.example',
    phone: '+966500000001',
  },
  shipping: {
    first_name: 'نورة',
    last_name: 'العتيبي',
    company: '',
    address_1: 'طريق الملك فهد، حي العليا',
    address_2: 'مبنى 12، شقة 4',
    city: 'الرياض',
    state: 'Riyadh',
    postcode: '12214',
    country: 'SA',
    phone: '+966500000001',
  },
  payment_method: 'stripe',
  payment_method_title: 'Credit card',
  customer_ip_address: '203.0.113.7',
  customer_user_agent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  created_via: 'checkout',
  customer_note: 'الرجاء الاتصال قبل التوصيل',
  number: String(PLACEHOLDER),
  meta_data: [
    { id: 8801, key: '_billing_district', value: 'العليا' },
    { id: 8802, key: '_wc_order_attribution_source_type', value: 'organic' },
    { id: 8803, key: '_wc_order_attribution_session_pages', value: '7' },
  ],
  line_items: [
    ['HON-250', 'عسل سدر ٢٥٠ جم', '40.00', 2, '80.00'],
    ['DAT-500', 'تمر سكري ٥٠٠ جم', '25.00', 1, '25.00'],
    ['COF-100', 'قهوة سعودية ١٠٠ جم', '25.00', 1, '25.00'],
  ].map(([sku, name, price, quantity, subtotal], index) => ({
    id: 501 + index,
    name,
    product_id: 7001 + index,
    variation_id: 0,
    quantity,
    tax_class: '',
    subtotal,
    subtotal_tax: '6.00',
    total: subtotal,
    total_tax: '6.00',
    taxes: [{ id: 1, total: '6.00', subtotal: '6.00' }],
    meta_data: [],
    sku,
    price: Number(price),
    image: { id: '9', src: `https://shop.example/wp-content/uploads/2026/11/${sku}.jpg` },
  })),
  tax_lines: [{ id: 601, rate_code: 'SA-VAT-1', rate_id: 1, label: 'VAT', tax_total: '19.50', rate_percent: 15 }],
  shipping_lines: [{ id: 602, method_title: 'Flat rate', method_id: 'flat_rate', total: '15.00', total_tax: '2.25' }],
  fee_lines: [],
  coupon_lines: [],
  refunds: [],
};

const PIECES = JSON.stringify(ORDER).split(String(PLACEHOLDER));

export function payloadOf(orderId: string): string {
  return PIECES.join(orderId);
}

let made = 0;
/** No two processes of a run use one twice. Fifteen digits at most, as the ids of nearly every shop: more are read slower. */
export function nextOrderId(): string {
  made += 1;
  return String(process.pid * 100_000_000 + made);
}

/** What is kept of the vendor's headers. */
export const KEPT_HEADERS = { 'content-type': 'application/json', 'x-wc-webhook-topic': 'order.updated' };

/** As the shop would send it, signed with the secret of its install. */
export function signedCall(install: BenchInstall, orderId: string): Request & { body: string } {
  const body = payloadOf(orderId);
  return {
    method: 'POST',
    path: `/api/v1/ingest/${install.id}`,
    headers: {
      ...KEPT_HEADERS,
      'x-wc-webhook-delivery-id': orderId,
      'x-wc-webhook-signature': createHmac('sha256', install.secret).update(body).digest('base64'),
    },
    body,
  };
}
