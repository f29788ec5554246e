import { type Static, type TNull, type TOptional, type TSchema, type TUnion, Type } from 'typebox';
import * as examples from './examples.ts';
import { fieldOf, INPUT_FIELD_NAMES, type InputFieldName, type ORDER_FIELDS } from './order-fields.ts';
import { CANONICAL_PAYMENT_STATUSES, type CanonicalPaymentStatus } from './order-status.ts';

const MAX_AMOUNT = 1e12;

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = (maxLength: number) => Type.String({ maxLength });
const statusText = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const amount = Type.Number({ minimum: 0, maximum: MAX_AMOUNT });
export const instant = Type.String({ format: 'date-time' });
export const anyObject = Type.Object({}, { additionalProperties: true });
const INPUT_SCHEMAS = { text: Type.String(), amount, instant, flag: Type.Boolean(), object: anyObject };
type InputSchemas = typeof INPUT_SCHEMAS;
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

/** The fields that are declared in order-fields.ts alone. */
const plainInputs = Object.fromEntries(
  INPUT_FIELD_NAMES.map((name) => [name, optional(inputSchema(fieldOf(name)))]),
) as {
  [Name in InputFieldName]: TOptional<TUnion<[InputSchemas[(typeof ORDER_FIELDS)[Name]['type']], TNull]>>;
};

function inputSchema({ type, maxLength = 255 }: ReturnType<typeof fieldOf>): TSchema {
  return type === 'text' ? text(maxLength) : INPUT_SCHEMAS[type as keyof typeof INPUT_SCHEMAS];
}

/** The fields of a new order. */
export const OrderBody = Type.Object(
  {
    source: optional(text(255)),
    destination: optional(Type.String({ maxLength: 255, description: 'A branch: its id or its iv_id' })),
    order_status: statusText,
    payment_status: optional(oneOf('NewPaymentStatus', PAYMENT_STATUSES)),
    fulfillment_status: statusText,
    fulfillment_method: optional(oneOf('FulfillmentMethod', ['delivery', 'pickup', 'shipping'])),
    payment_method: optional(oneOf('PaymentMethod', PAYMENT_METHODS)),
    currency: optional(Type.String({ pattern: '^[A-Za-z]{3}$', description: 'three letters such as SAR' })),
    skus: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 1000 }),
    products: Type.Array(OrderLineBody, { minItems: 1, maxItems: 1000 }),
    ...plainInputs,
  },
  { title: 'NewOrder', examples: [examples.newOrder] },
);

/** The same, since it replaces the whole order. A payment status that only channels store may be sent back unchanged. */
export const ReplacementBody = Type.Object(
  { ...OrderBody.properties, payment_status: optional(paymentStatus) },
  { title: 'OrderReplacement', examples: [examples.newOrder] },
);
export type OrderInput = Static<typeof ReplacementBody>;

const statusFields = {
  order_status: Type.Optional(statusText),
  payment_status: Type.Optional(paymentStatus),
  fulfillment_status: Type.Optional(statusText),
};
export const StatusBody = Type.Object(
  { ...statusFields, notes: optional(text(5000)) },
  { title: 'OrderStatusChange', examples: [{ order_status: 'DISPATCHED', notes: 'Handed to the courier' }] },
);
export type StatusInput = Static<typeof StatusBody>;

/** One item of a bulk status update, validated on its own. */
export const StatusUpdate = Type.Object({ id: Type.String({ minLength: 1 }), ...statusFields });

// Items are validated one by one, so that an invalid one does not fail the others.
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

/** The field names of the items, which are validated one by one. */
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
  format: filter(50, 'canonical: normalised statuses. Anything else: the default format', 'canonical'),
  include: filter(50, 'With format=canonical, raw adds the payload that the source sent', 'raw'),
};

export const ListQuery = Type.Object({
  // Text, so that an invalid value falls back to the default instead of being rejected.
  page: Type.Optional(
    Type.String({
      describedAs: { type: 'integer', minimum: 1, default: 1 },
      description: 'From 1. An invalid value counts as 1',
    }),
  ),
  limit: Type.Optional(
    Type.String({
      describedAs: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      description: '1 to 100. An invalid value counts as 50',
    }),
  ),
  status: filter(255, 'The stored order_status, exact match', 'DELIVERED'),
  payment_status: filter(255, 'The stored payment_status, exact match', 'paid'),
  fulfillment_status: filter(255, 'The stored fulfillment_status, exact match', 'Full'),
  source: filter(255, 'The source: the install id of a channel, or the source that a direct order named', 'api'),
  customer_email: filter(320, 'The complete address, exact match', 'noura@example.com'),
  currency: filter(10, 'Three letters', 'SAR'),
  min_amount: Type.Optional(Type.Number({ description: 'total_amount at least', examples: [50] })),
  max_amount: Type.Optional(Type.Number({ description: 'total_amount at most', examples: [500] })),
  search: filter(
    255,
    'Names of customer and receiver by the beginnings of their words, in any order, ignoring case, accents and Arabic letter variants; customer_email and source_transaction_id by their beginning; source_reference and order id whole; order number whole, by its beginning (DK- and at least one digit) or its last six characters; customer_phone in any form (050..., +966..., 00966..., Arabic digits) whole, by its beginning (6 digits or more) or its last 4 or more digits. No character is a wildcard',
    'نورة',
  ),
  state: Type.Optional(
    Type.Unsafe<'open' | 'late'>({
      type: 'string',
      enum: ['open', 'late'],
      description:
        '`open`: neither delivered nor cancelled. `late`: open and past promised_for. The same orders as `open` and `late` of the dashboard',
    }),
  ),
  branch_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Orders of this branch. An account confined to a branch may name no other',
      examples: ['0193a1f0-7c00-7000-8000-00000000000a'],
    }),
  ),
  channel: filter(100, 'The app of the channel as in `channel.app_slug`, exact match', 'salla'),
  payment: Type.Optional(
    Type.Unsafe<CanonicalPaymentStatus>({
      type: 'string',
      enum: [...CANONICAL_PAYMENT_STATUSES],
      description: 'The normalised payment status, whatever spelling the order has in payment_status',
    }),
  ),
  tag: filter(255, 'A tag of the order, whole, ignoring case, accents and Arabic letter variants', 'VIP'),
  from: Type.Optional(bound('Created at or after')),
  to: Type.Optional(bound('Created at or before')),
  sort: filter(
    50,
    'created, total_amount or customer_name. Prefix with - for descending. Default: -created',
    '-total_amount',
  ),
  ...formOf,
});
export type OrderListQuery = Static<typeof ListQuery>;

export const OneQuery = Type.Object(formOf);
