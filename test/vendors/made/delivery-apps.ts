import { digits } from '../vendor.ts';
import {
  byToken,
  hmac,
  longIdOf,
  type MadeOrder,
  newNotice,
  PLACED_AT,
  SECRET,
  storeOf,
  textIdOf,
} from './made-order.ts';

export const hungerstation: MadeOrder = {
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

export const talabat: MadeOrder = {
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

export const jahez: MadeOrder = {
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

export const deliverect: MadeOrder = {
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

export const ubereats: MadeOrder = {
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
