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

const sar = (Amount: string) => ({ CurrencyCode: 'SAR', Amount });

export const amazonSp: MadeOrder = {
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

export const square: MadeOrder = {
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

export const foodics: MadeOrder = {
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

export const till: MadeOrder = {
  ...own,
  settings: storeOf('shop-9'),
  headers: byToken,
  shown: { ...ownShown, status: 'delivered', payment: { status: 'paid' } },
};

export const generic: MadeOrder = {
  ...own,
  settings: { webhook_secret: SECRET, ...storeOf('shop-9') },
  headers: (body, { secret }) => ({ 'x-signature': `sha256=${hmac('sha256', secret, body).digest('hex')}` }),
  shown: { ...ownShown, payment: { status: 'pending' } },
};
