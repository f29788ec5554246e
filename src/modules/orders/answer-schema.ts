import { type TSchema, Type } from 'typebox';
import { bulkOutcomeOf, mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import * as examples from './examples.ts';
import { CANONICAL_FIELDS, fieldOf, ORDER_FIELD_NAMES, type OrderFieldName } from './order-fields.ts';
import {
  CANONICAL_PAYMENT_STATUSES,
  CANONICAL_STATUSES,
  type CanonicalPaymentStatus,
  type CanonicalStatus,
} from './order-status.ts';
import { anyObject, instant, oneOf } from './schema.ts';

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const string = Type.String();
const number = Type.Number();
const stored = (field: string) =>
  Type.String({
    description: `As the source sent it. The canonical form has the normalised ${field}`,
  });

/** The schema of a stored field in an answer. */
const ANSWER_SCHEMAS = {
  text: string,
  amount: number,
  instant: string,
  flag: Type.Boolean(),
  object: anyObject,
  texts: Type.Array(string),
  lines: Type.Array(anyObject),
};

function answerSchema(
  name: OrderFieldName,
  schemas: Record<keyof typeof ANSWER_SCHEMAS, TSchema> = ANSWER_SCHEMAS,
): TSchema {
  const { type, nullable: isNullable } = fieldOf(name);
  return isNullable ? nullable(schemas[type]) : schemas[type];
}

export const OrderPayload = Type.Object(
  {
    ...Object.fromEntries(ORDER_FIELD_NAMES.map((name) => [name, answerSchema(name)])),
    order_status: stored('order_status'),
    fulfillment_status: stored('fulfillment_status'),
    payment_status: stored('payment_status'),
  },
  { title: 'Order', description: 'An order as it is stored' },
);

/** Canonical instants are declared as `date-time`; those of the stored form never were. */
const CANONICAL_SCHEMAS = { ...ANSWER_SCHEMAS, instant };

function canonicalSchemas(group: keyof typeof CANONICAL_FIELDS): Record<string, TSchema> {
  const layout: Record<string, OrderFieldName> = CANONICAL_FIELDS[group];
  return Object.fromEntries(
    Object.entries(layout).map(([shown, name]) => [shown, answerSchema(name, CANONICAL_SCHEMAS)]),
  );
}

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
    external: Type.Object({ ...canonicalSchemas('external'), placed_at: instant }),
    status: Type.Unsafe<CanonicalStatus>({
      ...oneOf('OrderStatus', CANONICAL_STATUSES),
      description: 'The normalised status, the same for every source',
    }),
    status_raw: Type.String({ description: 'The stored status' }),
    payment: Type.Object({
      status: Type.Unsafe<CanonicalPaymentStatus>({
        ...oneOf('PaymentStatus', CANONICAL_PAYMENT_STATUSES),
        description: 'The normalised payment status, the same for every source',
      }),
      ...canonicalSchemas('payment'),
    }),
    fulfillment: Type.Object(canonicalSchemas('fulfillment')),
    amounts: Type.Object(canonicalSchemas('amounts')),
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
    branch: Type.Object(canonicalSchemas('branch')),
    customer: Type.Object(canonicalSchemas('customer')),
    receiver: Type.Object(canonicalSchemas('receiver')),
    ...canonicalSchemas('top'),
    created_at: instant,
    updated_at: instant,
    raw: Type.Optional(Type.Unknown({ description: 'The payload that the source sent. Only with include=raw' })),
  },
  {
    title: 'CanonicalOrder',
    description: 'An order in the same form for every channel, with normalised statuses',
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
      forwarded_to: Type.Optional(
        Type.Union([string, Type.Null()], {
          description: 'Orders of a vendor: the app whose API received the status, or null when no call was made',
        }),
      ),
      not_forwarded: Type.Optional(
        Type.String({
          description: 'Why the status was not sent to the vendor: the install has no credentials',
        }),
      ),
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
