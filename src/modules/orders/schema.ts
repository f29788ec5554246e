import { type Static, type TSchema, Type } from 'typebox';
import { bulkOutcomeOf, mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import * as examples from './examples.ts';
import {
  CANONICAL_PAYMENT_STATUSES,
  CANONICAL_STATUSES,
  type CanonicalPaymentStatus,
  type CanonicalStatus,
} from './order-status.ts';

const MAX_AMOUNT = 1e12;

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = (maxLength: number) => Type.String({ maxLength });
const word = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const amount = Type.Number({ minimum: 0, maximum: MAX_AMOUNT });
const instant = Type.String({ format: 'date-time' });
const anyObject = Type.Object({}, { additionalProperties: true });
const oneOf = <const Values extends readonly string[]>(title: string, values: Values) =>
  Type.Unsafe<Values[number]>({ title, type: 'string', enum: values });

export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'refunded'] as const;

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

/** What a caller may say of a new order. PUT takes the same: it replaces the whole. */
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
    payment_method: optional(oneOf('PaymentMethod', ['credit_card', 'debit_card', 'cash', 'bank_transfer', 'wallet'])),
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
export type OrderInput = Static<typeof OrderBody>;

const paymentStatus = oneOf('StoredPaymentStatus', [
  'pending',
  'processing',
  'completed',
  'paid',
  'failed',
  'refunded',
  'cancelled',
]);

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

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const string = Type.String();
const number = Type.Number();
const stored = (field: string) =>
  Type.String({
    description: `As the source calls it, word for word. ${field} in normalised words: the canonical form`,
  });

export const OrderPayload = Type.Object(
  {
    id: string,
    organization_id: string,
    source_reference: nullable(string),
    source_transaction_id: nullable(string),
    source_timestamp: nullable(string),
    destination_id: nullable(string),
    destination_reference: nullable(string),
    order_status: stored('order_status'),
    fulfillment_status: stored('fulfillment_status'),
    payment_status: stored('payment_status'),
    fulfillment_method: nullable(string),
    payment_method: nullable(string),
    currency: string,
    total_amount: number,
    discounts_amount: number,
    vat_amount: number,
    customer_name: nullable(string),
    customer_phone: nullable(string),
    customer_email: nullable(string),
    receiver_name: nullable(string),
    receiver_phone: nullable(string),
    skus: Type.Array(string),
    products: Type.Array(anyObject),
    shipping_address: nullable(anyObject),
    order_code: string,
    order_type: nullable(string),
    transport_type: nullable(string),
    comment: nullable(string),
    promised_for: nullable(string),
    is_preorder: Type.Boolean(),
    delivery_fee: number,
    service_fee: number,
    subtotal: number,
    store_name: nullable(string),
    dispatch_routing: nullable(anyObject),
    shipping_fulfillment: nullable(anyObject),
    created_at: string,
    updated_at: string,
  },
  { title: 'Order', description: 'An order as it is stored' },
);

export const OrderSnapshot = Type.Object(
  {
    spec_version: string,
    event_id: string,
    event_type: string,
    occurred_at: string,
    organization_id: string,
    organization_app_id: string,
    app_slug: string,
    order: OrderPayload,
  },
  { title: 'OrderSnapshot', description: 'An order as it stands now', examples: [examples.snapshot] },
);

const Pagination = Type.Object(
  {
    page: Type.Integer(),
    per_page: Type.Integer(),
    total_items: Type.Integer(),
    total_pages: Type.Integer(),
    has_next: Type.Boolean(),
    has_prev: Type.Boolean(),
  },
  { title: 'Pagination' },
);

export const CanonicalOrder = Type.Object(
  {
    id: string,
    channel: Type.Object({
      app_slug: string,
      family: string,
      kind: string,
      organization_app_id: string,
      source: string,
    }),
    external: Type.Object({
      order_id: nullable(string),
      reference: nullable(string),
      code: string,
      placed_at: instant,
    }),
    status: Type.Unsafe<CanonicalStatus>({
      ...oneOf('OrderStatus', CANONICAL_STATUSES),
      description: 'What a stored status means, whatever its source calls it',
    }),
    status_raw: Type.String({ description: 'As it is stored' }),
    payment: Type.Object({
      status: Type.Unsafe<CanonicalPaymentStatus>({
        ...oneOf('PaymentStatus', CANONICAL_PAYMENT_STATUSES),
        description: 'What a stored payment status means, whatever its source calls it',
      }),
      status_raw: string,
      method: nullable(string),
    }),
    fulfillment: Type.Object({
      status_raw: string,
      method: nullable(string),
      type: nullable(string),
      transport: nullable(string),
      promised_for: nullable(instant),
      is_preorder: Type.Boolean(),
    }),
    amounts: Type.Object({
      currency: string,
      subtotal: number,
      discounts: number,
      vat: number,
      delivery_fee: number,
      service_fee: number,
      total: number,
    }),
    lines: Type.Array(
      Type.Object(
        {
          product_id: string,
          sku_id: string,
          name: nullable(string),
          quantity: number,
          unit_price: number,
          total: number,
        },
        { title: 'OrderLine' },
      ),
    ),
    branch: Type.Object({ id: nullable(string), reference: nullable(string), name: nullable(string) }),
    customer: Type.Object({ name: nullable(string), phone: nullable(string), email: nullable(string) }),
    receiver: Type.Object({ name: nullable(string), phone: nullable(string) }),
    shipping_address: nullable(anyObject),
    comment: nullable(string),
    created_at: instant,
    updated_at: instant,
    raw: Type.Optional(Type.Unknown({ description: "The source's own payload; only with include=raw" })),
  },
  {
    title: 'CanonicalOrder',
    description: 'An order in normalised words, whatever its channel',
    examples: [examples.canonical],
  },
);

export const OrderList = Type.Object(
  {
    spec_version: string,
    event_type: string,
    occurred_at: string,
    organization_id: string,
    orders: Type.Array(OrderSnapshot),
    pagination: Pagination,
    meta: anyObject,
  },
  { title: 'OrderList', description: 'The default format' },
);
export const CanonicalList = Type.Object(
  {
    spec_version: string,
    organization_id: string,
    orders: Type.Array(CanonicalOrder),
    pagination: Pagination,
    meta: anyObject,
  },
  { title: 'CanonicalOrderList', description: 'With format=canonical' },
);
export const ListAnswer = Type.Union([OrderList, CanonicalList], { examples: [examples.list] });
export const OneAnswer = Type.Union(
  [
    OrderSnapshot,
    Type.Object(
      { spec_version: string, organization_id: string, order: CanonicalOrder },
      { title: 'CanonicalOrderAnswer', description: 'With format=canonical' },
    ),
  ],
  { examples: [examples.snapshot] },
);

const created = mutationEnvelopeOf(Type.Object({ id: string, order_number: string }));
export const CreatedAnswer = Type.Object(created.properties, { title: 'OrderCreated', examples: [examples.created] });

export const ReplacedAnswer = Type.Object(mutationEnvelopeOf(OrderPayload).properties, {
  title: 'OrderAnswer',
  examples: [examples.replaced],
});

export const StatusAnswer = Type.Object(
  {
    success: Type.Boolean(),
    message: string,
    timestamp: string,
    data: Type.Object({
      id: string,
      updated: Type.Object({ order_status: string, timestamp: string }),
    }),
    forwarded_to: Type.Optional(string),
  },
  { title: 'OrderStatusChanged', examples: [examples.statusChanged] },
);

export const BulkAnswer = Type.Object(
  {
    success: Type.Boolean(),
    data: bulkOutcomeOf(examples.bulk.data),
    timestamp: string,
  },
  { title: 'OrderBulkAnswer', examples: [examples.bulk] },
);

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
  page: Type.Optional(Type.String({ description: 'From 1; anything else is taken as 1' })),
  limit: Type.Optional(Type.String({ description: '1 to 100; anything else is taken as 50' })),
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
    'In customer name, email and phone, receiver name, order id and source_transaction_id; case and Arabic letter variants are alike',
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
