import { type Static, type TSchema, Type } from 'typebox';
import * as examples from './examples.ts';

const MAX_AMOUNT = 1e12;

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = (maxLength: number) => Type.String({ maxLength });
const word = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const amount = Type.Number({ minimum: 0, maximum: MAX_AMOUNT });
export const instant = Type.String({ format: 'date-time' });
export const anyObject = Type.Object({}, { additionalProperties: true });
export const oneOf = <const Values extends readonly string[]>(title: string, values: Values) =>
  Type.Unsafe<Values[number]>({ title, type: 'string', enum: values });

export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'refunded'] as const;

const paymentStatus = oneOf('StoredPaymentStatus', [
  'pending',
  'processing',
  'completed',
  'paid',
  'failed',
  'refunded',
  'cancelled',
]);

export const PAYMENT_METHODS = ['credit_card', 'debit_card', 'cash', 'bank_transfer', 'wallet'] as const;

const OrderLineBody = Type.Object(
  {
    product_id: Type.String({ minLength: 1, maxLength: 255 }),
    sku_id: Type.String({ minLength: 1, maxLength: 255 }),
    name: optional(text(500)),
    quantity: optional(Type.Number({ minimum: 0, maximum: 1e9 })),
    price: optional(amount),
  },
  { title: 'NewOrderLine', additionalProperties: true },
);

/** What a caller may say of a new order. */
export const OrderBody = Type.Object(
  {
    source: optional(text(255)),
    source_reference: optional(text(255)),
    source_transaction_id: optional(text(255)),
    source_timestamp: optional(instant),
    destination: optional(Type.String({ maxLength: 255, description: 'A branch: its id or its iv_id' })),
    destination_reference: optional(text(255)),
    order_status: word,
    payment_status: optional(oneOf('NewPaymentStatus', PAYMENT_STATUSES)),
    fulfillment_status: word,
    fulfillment_method: optional(oneOf('FulfillmentMethod', ['delivery', 'pickup', 'shipping'])),
    payment_method: optional(oneOf('PaymentMethod', PAYMENT_METHODS)),
    customer_name: optional(text(255)),
    customer_email: optional(text(320)),
    customer_phone: optional(text(50)),
    receiver_name: optional(text(255)),
    receiver_phone: optional(text(50)),
    skus: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 1000 }),
    products: Type.Array(OrderLineBody, { minItems: 1, maxItems: 1000 }),
    total_amount: optional(amount),
    vat_amount: optional(amount),
    discounts_amount: optional(amount),
    delivery_fee: optional(amount),
    service_fee: optional(amount),
    subtotal: optional(amount),
    currency: optional(Type.String({ pattern: '^[A-Za-z]{3}$', description: 'three letters such as SAR' })),
    shipping_address: optional(anyObject),
    order_type: optional(text(100)),
    transport_type: optional(text(100)),
    comment: optional(text(5000)),
    promised_for: optional(instant),
    is_preorder: optional(Type.Boolean()),
    dispatch_routing: optional(anyObject),
    shipping_fulfillment: optional(anyObject),
  },
  { title: 'NewOrder', examples: [examples.newOrder] },
);

/** The same, since it replaces the whole; but a payment word that only channels store may be sent back as it was read. */
export const ReplacementBody = Type.Object(
  { ...OrderBody.properties, payment_status: optional(paymentStatus) },
  { title: 'OrderReplacement', examples: [examples.newOrder] },
);
export type OrderInput = Static<typeof ReplacementBody>;

const statusFields = {
  order_status: Type.Optional(word),
  payment_status: Type.Optional(paymentStatus),
  fulfillment_status: Type.Optional(word),
};
export const StatusBody = Type.Object(
  { ...statusFields, notes: optional(text(5000)) },
  { title: 'OrderStatusChange', examples: [{ order_status: 'DISPATCHED', notes: 'Handed to the courier' }] },
);
export type StatusInput = Static<typeof StatusBody>;

/** One entry of a bulk status update; checked one by one. */
export const StatusUpdate = Type.Object({ id: Type.String({ minLength: 1 }), ...statusFields });

// The items are checked one by one, so that a wrong one does not refuse the rest.
const anItem = (name: string) => Type.Unknown({ describedAs: name });
const anId = Type.Unknown({ describedAs: { type: 'string' } });
export const BulkCreateBody = Type.Union(
  [
    Type.Object({ mode: Type.Literal('create'), orders: Type.Array(anItem('NewOrder')) }),
    Type.Array(anItem('NewOrder'), { description: 'The former form' }),
  ],
  { title: 'OrderBulk', examples: [examples.batch] },
);
export const BulkStatusBody = Type.Object(
  { updates: Type.Array(Type.Unknown({ describedAs: { ...StatusUpdate, title: 'OrderStatusUpdate' } })) },
  { title: 'OrderStatusBulk', examples: [{ updates: [{ id: examples.orderId, order_status: 'DELIVERED' }] }] },
);
export const BulkDeleteBody = Type.Union(
  [Type.Object({ order_ids: Type.Array(anId) }), Type.Array(anId, { description: 'The former form' })],
  { title: 'OrderDeletion', examples: [{ order_ids: [examples.orderId] }] },
);

/** The names inside the two, whose items are judged one by one. */
export const BulkCreateNames = Type.Union([
  Type.Object({ mode: Type.Unknown(), orders: Type.Array(OrderBody) }),
  Type.Array(OrderBody),
]);
export const BulkStatusNames = Type.Object({ updates: Type.Array(StatusUpdate) });

const filter = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }));
const bound = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description}, RFC 3339`,
    examples: ['2026-11-01T00:00:00+03:00'],
  });
const formOf = {
  format: filter(50, 'canonical: in normalised words. Anything else: the default format', 'canonical'),
  include: filter(50, 'With format=canonical, raw adds the payload that the source sent', 'raw'),
};

export const ListQuery = Type.Object({
  // Checked as text: a value that makes no sense falls back to the default instead of being refused.
  page: Type.Optional(
    Type.String({
      describedAs: { type: 'integer', minimum: 1, default: 1 },
      description: 'From 1; anything else is taken as 1',
    }),
  ),
  limit: Type.Optional(
    Type.String({
      describedAs: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      description: '1 to 100; anything else is taken as 50',
    }),
  ),
  status: filter(255, 'The stored order_status, word for word', 'DELIVERED'),
  payment_status: filter(255, 'The stored payment_status, word for word', 'paid'),
  fulfillment_status: filter(255, 'The stored fulfillment_status, word for word', 'Full'),
  source: filter(255, 'Where it came from: the install id of a channel, or what a direct order was given', 'api'),
  customer_email: filter(320, 'The whole address', 'noura@example.com'),
  currency: filter(10, 'Three letters', 'SAR'),
  min_amount: Type.Optional(Type.Number({ description: 'total_amount at least', examples: [50] })),
  max_amount: Type.Optional(Type.Number({ description: 'total_amount at most', examples: [500] })),
  search: filter(
    200,
    'In customer name, email and phone, receiver name, order id, order number and source_transaction_id; case and Arabic letter variants are alike',
    'نورة',
  ),
  from: Type.Optional(bound('Created at or after')),
  to: Type.Optional(bound('Created at or before')),
  sort: filter(
    50,
    'created, total_amount or customer_name; a minus for descending. -created unless told',
    '-total_amount',
  ),
  ...formOf,
});
export type OrderListQuery = Static<typeof ListQuery>;

export const OneQuery = Type.Object(formOf);
