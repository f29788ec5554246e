import { digits } from '../vendor.ts';
import {
  basic,
  byToken,
  hmac,
  longIdOf,
  type MadeOrder,
  PLACED_AT,
  SECRET,
  STORE_BRANCH,
  storeOf,
} from './made-order.ts';

export const shopify: MadeOrder = {
  vendor: 'shopify',
  settings: { webhook_secret: SECRET, access_token: 'shpat-1234', ...storeOf('655441491') },
  idOf: longIdOf,
  order: (id) => ({
    id: digits(id),
    name: '#1042',
    created_at: '2026-11-15T12:00:00+03:00',
    updated_at: '2026-11-15T12:05:00+03:00',
    cancelled_at: null,
    currency: 'SAR',
    financial_status: 'paid',
    fulfillment_status: null,
    taxes_included: true,
    total_line_items_price: '59.70',
    total_discounts: '9.70',
    total_tax: '8.48',
    total_tip_received: '5.00',
    total_price: '70.00',
    payment_gateway_names: ['Cash on Delivery (COD)'],
    location_id: 655_441_491,
    line_items: [{ id: 1, product_id: 7, name: 'عسل - 500 جم', sku: 'HON-1', quantity: 3, price: '19.90' }],
    shipping_lines: [{ price: '15.00', discounted_price: '5.30', code: 'Standard' }],
  }),
  headers: (body, { secret }) => ({
    'x-shopify-topic': 'orders/create',
    'x-shopify-hmac-sha256': hmac('sha256', secret, body).digest('base64'),
  }),
  shown: {
    external: { reference: '#1042', placed_at: PLACED_AT },
    payment: { status: 'paid', method: 'cash' },
    amounts: {
      currency: 'SAR',
      total: 70,
      subtotal: 59.7,
      discounts: 9.7,
      vat: 8.48,
      delivery_fee: 15,
      service_fee: 5,
    },
    lines: [{ sku_id: 'HON-1', name: 'عسل - 500 جم', quantity: 3, unit_price: 19.9, total: 59.7 }],
    branch: { reference: '655441491' },
  },
};

export const woocommerce: MadeOrder = {
  vendor: 'woocommerce',
  settings: { webhook_secret: SECRET, client_id: 'ck_1', client_secret: 'cs_1234', branch_iv_id: STORE_BRANCH },
  idOf: longIdOf,
  order: (id) => ({
    id: digits(id),
    number: '1042',
    status: 'processing',
    currency: 'SAR',
    date_created_gmt: '2026-11-15T09:00:00',
    date_modified_gmt: '2026-11-15T09:05:00',
    total: '46.00',
    total_tax: '6.00',
    discount_total: '0.00',
    shipping_total: '0.00',
    payment_method: 'stripe',
    line_items: [{ id: 1, product_id: 7, variation_id: 0, quantity: 2, subtotal: '40.00', sku: 'HON-1', name: 'عسل' }],
  }),
  headers: (body, { secret }) => ({
    'x-wc-webhook-topic': 'order.created',
    'x-wc-webhook-signature': hmac('sha256', secret, body).digest('base64'),
  }),
  shown: {
    external: { reference: '1042', placed_at: PLACED_AT },
    payment: { status: 'paid', method: 'credit_card' },
    amounts: { currency: 'SAR', total: 46, subtotal: 40, vat: 6 },
    lines: [{ sku_id: 'HON-1', quantity: 2, unit_price: 20 }],
    branch: { reference: null },
  },
  isVatOnTop: true,
};

const riyals = (amount: number | string) => ({ amount, currency: 'SAR' });

export const salla: MadeOrder = {
  vendor: 'salla',
  settings: { webhook_secret: SECRET, access_token: 'salla-1234', ...storeOf('2019138561') },
  idOf: longIdOf,
  order: (id) => ({
    id: digits(id),
    reference_id: 41_027_662,
    date: { date: '2026-11-15 12:00:00.000000', timezone_type: 3, timezone: 'Asia/Riyadh' },
    status: { id: 1, name: 'قيد التنفيذ', slug: 'in_progress' },
    payment_method: 'mada',
    currency: 'SAR',
    amounts: {
      sub_total: riyals(174),
      shipping_cost: riyals(15),
      cash_on_delivery: riyals('1.50'),
      tax: { percent: '15.00', amount: riyals(27.83) },
      discounts: [{ title: 'offer', discount: '5.00', discounted_shipping: 0 }],
      total: riyals(213.33),
    },
    items: [
      {
        id: 1,
        product_id: 7,
        name: 'بيتزا',
        sku: 'PIZ-1',
        quantity: 2,
        amounts: { price_without_tax: riyals(87), total: riyals(174) },
        options: [{ name: 'SIZE', value: [{ name: 'BIG', price: riyals(20) }] }],
      },
    ],
    shipment_branch: [{ id: 2_019_138_561 }],
  }),
  notice: (data) => ({
    event: 'order.created',
    merchant: 1_305_146_709,
    created_at: 'Sun Nov 15 2026 12:05:00 GMT+0300',
    data,
  }),
  headers: (body, { secret }) => ({
    'x-salla-security-strategy': 'Signature',
    'x-salla-signature': hmac('sha256', secret, body).digest('hex'),
  }),
  shown: {
    external: { reference: '41027662', placed_at: PLACED_AT },
    payment: { status: 'paid', method: 'debit_card' },
    amounts: {
      currency: 'SAR',
      total: 213.33,
      subtotal: 174,
      discounts: 5,
      vat: 27.83,
      delivery_fee: 15,
      service_fee: 1.5,
    },
    lines: [{ sku_id: 'PIZ-1', name: 'بيتزا (BIG)', quantity: 2, unit_price: 87 }],
    branch: { reference: '2019138561' },
  },
  isVatOnTop: true,
};

export const zid: MadeOrder = {
  vendor: 'zid',
  settings: {
    webhook_secret: 'dukkan:pass:word',
    access_token: 'store-1234',
    client_secret: 'partner-1234',
    time_zone: 'Asia/Riyadh',
    ...storeOf('3'),
  },
  idOf: longIdOf,
  order: (id) => ({
    id: digits(id),
    code: 'zrDH30DWiX',
    store_id: 3,
    order_status: { name: 'Preparing', code: 'preparing' },
    currency_code: 'SAR',
    order_total: '46.00000000000000',
    payment_status: 'paid',
    created_at: '2026-11-15 12:00:00',
    updated_at: '2026-11-15 12:05:00',
    inventory_address: { id: '9059ae2c' },
    payment: {
      method: { code: 'zidpay', type: 'cc' },
      invoice: [
        { code: 'sub_totals_before_vat', value: '40.00000000000000' },
        { code: 'vat', value: '6.00000000000000' },
        { code: 'total', value: '46.00000000000000' },
      ],
    },
    products: [
      {
        id: '23edd6a6-3533-495d',
        name: 'عسل',
        sku: 'HON-1',
        quantity: 2,
        net_price_with_additions: 20,
        options: [{ name: 'Size', value: 'Large' }],
      },
    ],
  }),
  // Thin: the order is asked for.
  notice: (_order, id) => ({ event: 'order.create', id: digits(id) }),
  headers: (_body, { secret }) => ({ authorization: basic(secret) }),
  shown: {
    external: { reference: 'zrDH30DWiX', placed_at: PLACED_AT },
    payment: { status: 'paid', method: 'credit_card' },
    amounts: { currency: 'SAR', total: 46, subtotal: 40, vat: 6 },
    lines: [{ sku_id: 'HON-1', name: 'عسل (Large)', quantity: 2, unit_price: 20 }],
    branch: { reference: '3' },
  },
  isVatOnTop: true,
};

const simple = { product_type: 'simple', is_virtual: 0, qty_shipped: 0, qty_canceled: 0 };

export const magento2: MadeOrder = {
  vendor: 'magento2',
  settings: { access_token: 'magento-1234', ...storeOf('1') },
  idOf: longIdOf,
  order: (id) => ({
    entity_id: digits(id),
    increment_id: '000000003',
    state: 'processing',
    status: 'processing',
    store_id: 1,
    created_at: '2026-11-15 09:00:00',
    updated_at: '2026-11-15 09:05:00',
    order_currency_code: 'SAR',
    grand_total: 109.6,
    subtotal: 104,
    tax_amount: 15.6,
    shipping_amount: 10,
    discount_amount: -20,
    discount_tax_compensation_amount: 0,
    total_due: 109.6,
    payment: { method: 'cashondelivery' },
    items: [
      { ...simple, item_id: 1, product_id: 67, sku: 'MH01-S-Gray', name: 'Hoodie', price: 52, qty_ordered: 2 },
      { ...simple, item_id: 2, parent_item_id: 1, product_id: 56, sku: 'MH01-S-Gray', price: 0, qty_ordered: 2 },
    ],
  }),
  headers: byToken,
  shown: {
    external: { reference: '000000003', placed_at: PLACED_AT },
    payment: { status: 'pending', method: 'cash' },
    amounts: { currency: 'SAR', total: 109.6, subtotal: 104, discounts: 20, vat: 15.6, delivery_fee: 10 },
    lines: [{ sku_id: 'MH01-S-Gray', name: 'Hoodie', quantity: 2, unit_price: 52 }],
    branch: { reference: '1' },
  },
  isVatOnTop: true,
};
