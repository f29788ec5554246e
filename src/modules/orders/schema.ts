import { type Static, type TSchema, Type } from 'typebox';
import { mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import * as examples from './examples.ts';
import { CANONICAL_PAYMENT_STATUSES, CANONICAL_STATUSES } from './order-status.ts';

const MAX_AMOUNT = 1e12;

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = (maxLength: number) => Type.String({ maxLength });
const word = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const amount = Type.Number({ minimum: 0, maximum: MAX_AMOUNT });
const instant = Type.String({ format: 'date-time' });
const anyObject = Type.Object({}, { additionalProperties: true });
const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values });

export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'refunded'] as const;

const OrderLineBody = Type.Object(
  {
    product_id: Type.String({ minLength: 1, maxLength: 255 }),
    sku_id: Type.String({ minLength: 1, maxLength: 255 }),
    name: optional(text(500)),
    quantity: optional(Type.Number({ minimum: 0, maximum: 1e9 })),
    price: optional(amount),
  },
  { additionalProperties: true },
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
    payment_status: optional(oneOf(...PAYMENT_STATUSES)),
    fulfillment_status: word,
    fulfillment_method: optional(oneOf('delivery', 'pickup', 'shipping')),
    payment_method: optional(oneOf('credit_card', 'debit_card', 'cash', 'bank_transfer', 'wallet')),
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
  { examples: [examples.newOrder] },
);
export type OrderInput = Static<typeof OrderBody>;

const paymentStatus = oneOf('pending', 'processing', 'completed', 'paid', 'failed', 'refunded', 'cancelled');

const statusFields = {
  order_status: Type.Optional(word),
  payment_status: Type.Optional(paymentStatus),
  fulfillment_status: Type.Optional(word),
};
export const StatusBody = Type.Object(
  { ...statusFields, notes: optional(text(5000)) },
  { examples: [{ order_status: 'DISPATCHED', notes: 'Handed to the courier' }] },
);
export type StatusInput = Static<typeof StatusBody>;

/** One entry of a bulk status update; checked one by one. */
export const StatusUpdate = Type.Object({ id: Type.String({ minLength: 1 }), ...statusFields });

// The items are checked one by one, so that a wrong one does not refuse the rest.
export const BulkCreateBody = Type.Union(
  [
    Type.Object({ mode: Type.Literal('create'), orders: Type.Array(Type.Unknown()) }),
    Type.Array(Type.Unknown(), { description: 'The former form' }),
  ],
  { examples: [{ mode: 'create', orders: [examples.newOrder] }] },
);
export const BulkStatusBody = Type.Object(
  { updates: Type.Array(Type.Unknown()) },
  { examples: [{ updates: [{ id: examples.orderId, order_status: 'DELIVERED' }] }] },
);
export const BulkDeleteBody = Type.Union(
  [
    Type.Object({ order_ids: Type.Array(Type.Unknown()) }),
    Type.Array(Type.Unknown(), { description: 'The former form' }),
  ],
  { examples: [{ order_ids: [examples.orderId] }] },
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

export const OrderPayload = Type.Object({
  id: string,
  organization_id: string,
  source_reference: nullable(string),
  source_transaction_id: nullable(string),
  source_timestamp: nullable(string),
  destination_id: nullable(string),
  destination_reference: nullable(string),
  order_status: string,
  fulfillment_status: string,
  payment_status: string,
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
});

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
  { examples: [examples.snapshot] },
);

const Pagination = Type.Object({
  page: Type.Integer(),
  per_page: Type.Integer(),
  total_items: Type.Integer(),
  total_pages: Type.Integer(),
  has_next: Type.Boolean(),
  has_prev: Type.Boolean(),
});

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
    status: oneOf(...CANONICAL_STATUSES),
    status_raw: string,
    payment: Type.Object({
      status: oneOf(...CANONICAL_PAYMENT_STATUSES),
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
      Type.Object({
        product_id: string,
        sku_id: string,
        name: nullable(string),
        quantity: number,
        unit_price: number,
        total: number,
      }),
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
  { description: 'An order in normalised words, whatever its channel', examples: [examples.canonical] },
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
  { description: 'The default format' },
);
export const CanonicalList = Type.Object({
  spec_version: string,
  organization_id: string,
  orders: Type.Array(CanonicalOrder),
  pagination: Pagination,
  meta: anyObject,
});
export const ListAnswer = Type.Union([OrderList, CanonicalList], { examples: [examples.list] });
export const OneAnswer = Type.Union(
  [OrderSnapshot, Type.Object({ spec_version: string, organization_id: string, order: CanonicalOrder })],
  { examples: [examples.snapshot] },
);

const created = mutationEnvelopeOf(Type.Object({ id: string, order_number: string }));
export const CreatedAnswer = Type.Object(created.properties, { examples: [examples.created] });

export const ReplacedAnswer = Type.Object(mutationEnvelopeOf(OrderPayload).properties, {
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
  { examples: [examples.statusChanged] },
);

export const BulkAnswer = Type.Object(
  {
    success: Type.Boolean(),
    data: Type.Object({
      succeeded: Type.Integer(),
      failed: Type.Integer(),
      errors: Type.Object({}, { additionalProperties: string }),
    }),
    timestamp: string,
  },
  { examples: [examples.bulk] },
);

export const ListQuery = Type.Object({
  page: Type.Optional(Type.String({ description: 'From 1; anything else is taken as 1' })),
  limit: Type.Optional(Type.String({ description: '1 to 100; anything else is taken as 50' })),
  status: Type.Optional(text(255)),
  payment_status: Type.Optional(text(255)),
  fulfillment_status: Type.Optional(text(255)),
  source: Type.Optional(text(255)),
  customer_email: Type.Optional(text(320)),
  currency: Type.Optional(text(10)),
  min_amount: Type.Optional(Type.Number()),
  max_amount: Type.Optional(Type.Number()),
  search: Type.Optional(text(200)),
  from: Type.Optional(instant),
  to: Type.Optional(instant),
  sort: Type.Optional(text(50)),
  format: Type.Optional(text(50)),
  include: Type.Optional(text(50)),
});
export type OrderListQuery = Static<typeof ListQuery>;

export const OneQuery = Type.Object({ format: Type.Optional(text(50)), include: Type.Optional(text(50)) });
