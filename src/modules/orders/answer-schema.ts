import { type TSchema, Type } from 'typebox';
import { bulkOutcomeOf, mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import * as examples from './examples.ts';
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
      forwarded_to: Type.Optional(
        Type.Union([string, Type.Null()], {
          description: 'Of an order that came from a vendor: the app that was told; null where there was no call',
        }),
      ),
      not_forwarded: Type.Optional(
        Type.String({
          description: 'Why the vendor, who takes statuses, was not told: the install has no credentials',
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
