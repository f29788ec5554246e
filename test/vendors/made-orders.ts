import { createHmac, type Hmac } from 'node:crypto';
import type { VendorSlug } from './simulator.ts';
import { digits, type Kept } from './vendor.ts';

/** What a call to an install is proven by. */
export type Proof = { secret: string; token: string; url: string };

/** A vendor's order as it would send it, how it sends it, and what is to become of it. */
export type MadeOrder = {
  /** None for those that nobody plays: they are never called. */
  vendor?: VendorSlug;
  settings: Record<string, unknown>;
  idOf(number: number): string;
  order(id: string): Kept;
  /** What is sent to us; the order itself, where it does not say otherwise. */
  notice?(order: Kept, id: string): Kept;
  headers(body: string, proof: Proof): Record<string, string>;
  /** Behind the address. */
  path?: string;
  answers?: 200;
  /** As `GET /orders?format=canonical` shows it, beside its id. */
  shown: Kept;
  isVatOnTop?: boolean;
};

const SECRET = 'a secret of the shop';
const STORE_BRANCH = 'RUH';
const hmac = (algorithm: string, key: string, ...parts: string[]): Hmac =>
  parts.reduce((signing, part) => signing.update(part), createHmac(algorithm, key));
const byToken = (_body: string, { token }: Proof) => ({ 'x-ingest-token': token });
/** Beyond what a float can count. */
const longIdOf = (number: number) => String(9_007_199_254_740_993n + 2n * BigInt(number));
const textIdOf = (prefix: string) => (number: number) => `${prefix}-${String(number).padStart(7, '0')}`;
const storeOf = (id: string) => ({ branches: { [id]: STORE_BRANCH } });
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
const PLACED_AT = '2026-11-15T09:00:00.000Z';

let notices = 0;
const newNotice = () => {
  notices += 1;
  return `notice-${notices}`;
};

const shopify: MadeOrder = {
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

const woocommerce: MadeOrder = {
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

const salla: MadeOrder = {
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

const zid: MadeOrder = {
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

const magento2: MadeOrder = {
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

const hungerstation: MadeOrder = {
  vendor: 'hungerstation',
  settings: {
    webhook_secret: SECRET,
    client_id: 'hs-client',
    client_secret: 'hs-1234',
    chain_id: 'chain-1',
    ...storeOf('st-7'),
  },
  idOf: textIdOf('9d4a63b5'),
  order: (id) => ({
    order_id: id,
    order_code: '42',
    status: 'RECEIVED',
    order_type: 'DELIVERY',
    transport_type: 'LOGISTICS_DELIVERY',
    client: { id: 'c-1', chain_id: 'chain 1', store_id: 'st-7' },
    items: [
      {
        _id: 'i-1',
        sku: 'MILK',
        name: 'Milk',
        status: 'IN_CART',
        pricing: { pricing_type: 'UNIT', unit_price: 5.75, quantity: 2, total_price: 11.5 },
      },
      {
        _id: 'i-2',
        sku: 'TOM',
        name: 'Tomatoes',
        pricing: { pricing_type: 'KG', unit_price: 8, quantity: 1, weight: 0.655, total_price: 5.24 },
      },
    ],
    payment: {
      type: 'PAID',
      sub_total: 16.74,
      delivery_fee: 10,
      service_fee: 1,
      discount: -2,
      total_taxes: 2.18,
      order_total: 25.74,
    },
    sys: { created_at: '2026-11-15T09:00:00', updated_at: '2026-11-15T09:05:00.250Z' },
  }),
  headers: (_body, { secret }) => ({ authorization: secret }),
  shown: {
    external: { reference: '42', placed_at: PLACED_AT },
    payment: { status: 'paid' },
    amounts: {
      currency: 'SAR',
      total: 25.74,
      subtotal: 16.74,
      discounts: 2,
      vat: 2.18,
      delivery_fee: 10,
      service_fee: 1,
    },
    lines: [
      { sku_id: 'MILK', quantity: 2, unit_price: 5.75 },
      { sku_id: 'TOM', quantity: 0.655, unit_price: 8, total: 5.24 },
    ],
    branch: { reference: 'st-7' },
  },
};

function jwtOf(key: string): string {
  const signed = [{ alg: 'HS512', typ: 'JWT' }, { service: 'middleware' }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `Bearer ${signed}.${hmac('sha512', key, signed).digest('base64url')}`;
}

const talabat: MadeOrder = {
  vendor: 'talabat',
  settings: { webhook_secret: SECRET, client_id: 'plugin', client_secret: 'tlb-1234', ...storeOf('remote-7') },
  idOf: textIdOf('5f373562'),
  order: (token) => ({
    token,
    code: 'k8x1-w0k1',
    shortCode: '42',
    test: false,
    createdAt: '2026-11-15T09:00:00.000Z',
    expeditionType: 'delivery',
    delivery: { expectedDeliveryTime: '2026-11-15T09:50:00.000Z', riderPickupTime: '2026-11-15T09:35:00.000Z' },
    localInfo: { countryCode: 'KW', currencySymbol: 'KD' },
    payment: { status: 'pending', type: 'Cash' },
    platformRestaurant: { id: 'pr-1' },
    price: { deliveryFees: [{ name: 'delivery fee', value: 0.75 }], grandTotal: '15.250', vatTotal: '0.000' },
    products: [
      {
        id: 'P-1',
        remoteCode: 'BURGER',
        name: 'Burger',
        unitPrice: '6.250',
        paidPrice: '14.500',
        quantity: '2',
        selectedToppings: [{ name: 'Cheese', price: '0.500', quantity: 2, children: [] }],
      },
    ],
  }),
  path: '/order/remote-7',
  headers: (_body, { secret }) => ({ authorization: jwtOf(secret) }),
  shown: {
    external: { reference: '42', placed_at: PLACED_AT },
    payment: { status: 'pending', method: 'cash' },
    amounts: { currency: 'KWD', total: 15.25, subtotal: 14.5, delivery_fee: 0.75 },
    lines: [{ sku_id: 'BURGER', name: 'Burger (2 × Cheese)', quantity: 2, unit_price: 7.25, total: 14.5 }],
    branch: { reference: 'remote-7' },
  },
};

const jahez: MadeOrder = {
  vendor: 'jahez',
  settings: { client_id: 'jahez-key', client_secret: 'jahez-1234', ...storeOf('B-4') },
  idOf: longIdOf,
  order: (id) => ({
    jahez_id: digits(id),
    branch_id: 'B-4',
    products: [
      {
        product_id: 'PIZZA',
        quantity: 2,
        original_price: 20,
        final_price: 20,
        modifiers: [
          { modifier_id: 'X', options: [{ id: 'CHEESE', quantity: 2, original_price: 1.25, final_price: 1.25 }] },
        ],
      },
    ],
    price: 45,
    final_price: 40,
    payment_method: 'APPLE-PAY-MADA',
    offer: { amount: 5, type: 1 },
  }),
  headers: byToken,
  shown: {
    payment: { status: 'paid', method: 'wallet' },
    amounts: { currency: 'SAR', total: 40, subtotal: 45, discounts: 5 },
    lines: [{ product_id: 'PIZZA', name: 'PIZZA (2 × CHEESE)', quantity: 2, unit_price: 22.5, total: 45 }],
    branch: { reference: 'B-4' },
  },
};

const deliverect: MadeOrder = {
  vendor: 'deliverect',
  settings: { webhook_secret: SECRET, access_token: 'dlv-1234', ...storeOf('loc-1') },
  idOf: textIdOf('6655bf36'),
  order: (_id) => ({
    _id,
    _created: '2026-11-15T09:00:00.000000Z',
    _updated: '2026-11-15T09:00:05.123456Z',
    channelOrderId: 'CH-1000042',
    channelOrderDisplayId: '0042',
    location: 'loc-1',
    status: 1,
    orderType: 2,
    orderIsAlreadyPaid: false,
    payment: { amount: 4100, type: 1 },
    decimalDigits: 2,
    items: [
      {
        plu: 'COMBO',
        name: 'Combo',
        price: 1000,
        quantity: 2,
        subItems: [{ plu: 'B', name: 'Burger', price: 500, quantity: 1, subItems: [] }],
      },
    ],
    deliveryCost: 1000,
    serviceCharge: 300,
    discountTotal: -200,
  }),
  headers: (body, { secret }) => ({
    'x-server-authorization-hmac-sha256': hmac('sha256', secret, body).digest('hex'),
  }),
  shown: {
    external: { reference: '0042', placed_at: PLACED_AT },
    payment: { status: 'pending', method: 'cash' },
    amounts: { currency: 'SAR', total: 41, subtotal: 30, discounts: 2, delivery_fee: 10, service_fee: 3 },
    lines: [{ sku_id: 'COMBO', name: 'Combo (Burger)', quantity: 2, unit_price: 15, total: 30 }],
    branch: { reference: 'loc-1' },
  },
};

const halalas = (amount: number) => ({ amount, currency_code: 'SAR', formatted_amount: '' });

const ubereats: MadeOrder = {
  vendor: 'ubereats',
  settings: { webhook_secret: SECRET, client_id: 'uber', client_secret: 'uber-1234', ...storeOf('store-1') },
  idOf: textIdOf('f9f363d1'),
  order: (id) => ({
    id,
    display_id: 'BC953',
    current_state: 'CREATED',
    type: 'DELIVERY_BY_UBER',
    placed_at: '2026-11-15T12:00:00+03:00',
    store: { id: 'store-1', merchant_store_id: 'RUH-1' },
    cart: {
      items: [
        {
          id: 'Muffin',
          title: 'Muffin',
          external_data: 'MUF-1',
          quantity: 2,
          price: { unit_price: halalas(350), base_unit_price: halalas(300) },
          selected_modifier_groups: [
            {
              title: 'Flavour',
              selected_items: [{ id: 'C', title: 'Chocolate', quantity: 1, price: { base_unit_price: halalas(50) } }],
            },
          ],
        },
      ],
    },
    payment: { charges: { total: halalas(700), sub_total: halalas(700) } },
  }),
  notice: (_order, id) => ({
    event_type: 'orders.notification',
    event_id: newNotice(),
    event_time: 1_794_733_200,
    meta: { resource_id: id, status: 'pos', user_id: 'u' },
    resource_href: 'https://elsewhere.example/v2/eats/order/1',
  }),
  headers: (body, { secret }) => ({ 'x-uber-signature': hmac('sha256', secret, body).digest('hex') }),
  answers: 200,
  shown: {
    external: { reference: 'BC953', placed_at: PLACED_AT },
    payment: { status: 'paid' },
    amounts: { currency: 'SAR', total: 7, subtotal: 7 },
    lines: [{ sku_id: 'MUF-1', name: 'Muffin (Chocolate)', quantity: 2, unit_price: 3.5, total: 7 }],
    branch: { reference: 'store-1' },
  },
};

const sar = (Amount: string) => ({ CurrencyCode: 'SAR', Amount });

const amazonSp: MadeOrder = {
  vendor: 'amazon-sp',
  settings: { access_token: 'Atza|1234', ...storeOf('A17E79C6D8DWNP') },
  idOf: textIdOf('405-1234567'),
  order: (AmazonOrderId) => ({
    AmazonOrderId,
    PurchaseDate: '2026-11-15T09:00:00Z',
    LastUpdateDate: '2026-11-15T09:30:00Z',
    OrderStatus: 'Unshipped',
    FulfillmentChannel: 'MFN',
    PaymentMethodDetails: ['Standard', 'CreditCard'],
    MarketplaceId: 'A17E79C6D8DWNP',
    OrderTotal: sar('102.00'),
    ShippingAddress: { Name: 'Sara', AddressLine1: 'King Fahd Road', City: 'Riyadh', CountryCode: 'SA' },
    BuyerInfo: { BuyerName: 'Sara Al-Otaibi', BuyerEmail: 'relay@marketplace.amazon.sa' },
    OrderItems: [
      {
        ASIN: 'B000HONEY1',
        OrderItemId: '05015851154158',
        SellerSKU: 'HON-1',
        Title: 'Sidr honey',
        QuantityOrdered: 2,
        ItemPrice: sar('100.00'),
        ItemTax: sar('13.04'),
        ShippingPrice: sar('12.00'),
        ShippingTax: sar('1.57'),
        PromotionDiscount: sar('10.00'),
      },
    ],
  }),
  notice: (_order, AmazonOrderId) => ({
    NotificationType: 'ORDER_CHANGE',
    Payload: { OrderChangeNotification: { AmazonOrderId, Summary: { OrderStatus: 'Unshipped' } } },
    NotificationMetadata: { NotificationId: newNotice() },
  }),
  headers: byToken,
  shown: {
    external: { placed_at: PLACED_AT },
    payment: { status: 'paid', method: 'credit_card' },
    amounts: { currency: 'SAR', total: 102, subtotal: 100, discounts: 10, vat: 14.61, delivery_fee: 12 },
    lines: [{ sku_id: 'HON-1', name: 'Sidr honey', quantity: 2, unit_price: 50, total: 100 }],
    branch: { reference: 'A17E79C6D8DWNP' },
  },
};

const minor = (amount: number) => ({ amount, currency: 'SAR' });

const square: MadeOrder = {
  vendor: 'square',
  settings: { webhook_secret: SECRET, access_token: 'sq-1234', ...storeOf('L1') },
  idOf: textIdOf('eA3vssLHKJrv9H0'),
  order: (id) => ({
    id,
    location_id: 'L1',
    state: 'OPEN',
    version: 7,
    created_at: '2026-11-15T09:00:00Z',
    updated_at: '2026-11-15T09:05:00Z',
    line_items: [
      {
        uid: 'u1',
        catalog_object_id: 'CAT1',
        name: 'Latte',
        variation_name: 'Large',
        quantity: '2',
        base_price_money: minor(1500),
        modifiers: [{ name: 'Shot', quantity: '2', base_price_money: minor(200) }],
      },
      { uid: 'u2', name: 'Beans', variation_name: 'Regular', quantity: '0.333', base_price_money: minor(799) },
    ],
    total_discount_money: minor(400),
    total_tax_money: minor(0),
    total_tip_money: minor(250),
    // 38.00 + 2.66 - 4.00 + 2.50
    total_money: minor(3916),
    fulfillments: [{ uid: 'f1', type: 'PICKUP', state: 'PROPOSED', pickup_details: {} }],
  }),
  notice: (_order, id) => ({
    type: 'order.created',
    event_id: newNotice(),
    data: { id, object: { order_created: { order_id: id } } },
  }),
  headers: (body, { secret, url }) => ({
    'x-square-hmacsha256-signature': hmac('sha256', secret, url, body).digest('base64'),
  }),
  shown: {
    external: { placed_at: PLACED_AT },
    payment: { status: 'pending' },
    amounts: { currency: 'SAR', total: 39.16, subtotal: 40.66, discounts: 4, service_fee: 2.5 },
    lines: [
      { product_id: 'CAT1', quantity: 2, unit_price: 19, total: 38 },
      { quantity: 0.333, unit_price: 7.99, total: 2.66 },
    ],
    branch: { reference: 'L1' },
  },
};

const foodics: MadeOrder = {
  vendor: 'foodics',
  settings: { access_token: 'foodics-1234', ...storeOf('branch-1') },
  idOf: textIdOf('ebf8baa4'),
  order: (id) => ({
    id,
    reference: '00292',
    type: 3,
    status: 2,
    delivery_status: null,
    branch: { id: 'branch-1' },
    opened_at: '2026-11-15 09:00:00',
    created_at: '2026-11-15 09:20:00',
    updated_at: '2026-11-15 09:30:00',
    closed_at: null,
    products: [
      {
        product: { id: 'p1', sku: 'TUNA', name: 'Tuna' },
        quantity: 2,
        unit_price: 20,
        discount_amount: 6,
        status: 3,
        options: [{ modifier_option: { name: 'Cheese' }, quantity: 2, unit_price: 1.5, total_price: 6 }],
      },
    ],
    charges: [{ charge: { name: 'Delivery' }, amount: 10, taxes: [] }],
    payments: [],
    discount_amount: 5,
    // 46 - 6 - 5 + 10
    total_price: 45,
  }),
  notice: (order) => ({ timestamp: 1_794_731_400, event: 'order.created', business: {}, order }),
  headers: byToken,
  shown: {
    external: { reference: '00292', placed_at: PLACED_AT },
    payment: { status: 'pending' },
    amounts: { currency: 'SAR', total: 45, subtotal: 46, discounts: 11, delivery_fee: 10 },
    lines: [{ sku_id: 'TUNA', name: 'Tuna (2 × Cheese)', quantity: 2, unit_price: 23, total: 46 }],
    branch: { reference: 'branch-1' },
  },
};

const own: Pick<MadeOrder, 'idOf' | 'order'> = {
  idOf: longIdOf,
  order: (id) => ({
    source_transaction_id: digits(id),
    source_reference: 'INV-7',
    source_timestamp: '2026-11-15T12:00:00+03:00',
    updated_at: '2026-11-15T09:05:00Z',
    destination_reference: 'shop-9',
    products: [{ product_id: 'P1', sku_id: 'HON-1', name: 'عسل', quantity: 1.5, price: 40.1 }],
    discounts_amount: 5.15,
    delivery_fee: 10,
    vat_amount: 8.48,
    total_amount: 65,
    currency: 'sar',
  }),
};
const ownShown = {
  external: { reference: 'INV-7', placed_at: PLACED_AT },
  amounts: { currency: 'SAR', total: 65, subtotal: 60.15, discounts: 5.15, vat: 8.48, delivery_fee: 10 },
  lines: [{ sku_id: 'HON-1', name: 'عسل', quantity: 1.5, unit_price: 40.1, total: 60.15 }],
  branch: { reference: 'shop-9' },
};

const till: MadeOrder = {
  ...own,
  settings: storeOf('shop-9'),
  headers: byToken,
  shown: { ...ownShown, status: 'delivered', payment: { status: 'paid' } },
};

const generic: MadeOrder = {
  ...own,
  settings: { webhook_secret: SECRET, ...storeOf('shop-9') },
  headers: (body, { secret }) => ({ 'x-signature': `sha256=${hmac('sha256', secret, body).digest('hex')}` }),
  shown: { ...ownShown, payment: { status: 'pending' } },
};

export const MADE_ORDERS = {
  shopify,
  woocommerce,
  salla,
  zid,
  magento2,
  hungerstation,
  talabat,
  jahez,
  deliverect,
  ubereats,
  'amazon-sp': amazonSp,
  square,
  foodics,
  till,
  generic,
} satisfies Record<string, MadeOrder>;

export type OrderingSlug = keyof typeof MADE_ORDERS;
export const ORDERING_SLUGS = Object.keys(MADE_ORDERS) as OrderingSlug[];
