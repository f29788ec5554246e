import { type Static, type TSchema, Type } from 'typebox';
import { listEnvelopeOf } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';
import { DELIVERY_STATUSES, type DeliveryStatus, steadyHeaders } from './delivery.ts';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './subscription.ts';

export const exampleId = '0193a1f0-7c00-7000-8000-000000000004';
const timestamp = '2026-11-15T08:00:00.000Z';
export const TEST_TYPE = 'webhook.test';
const string = Type.String();
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const subscriptionId = Type.String({ description: "The subscription's id", examples: [exampleId] });
export const SubscriptionParams = Type.Object({ id: subscriptionId });
export const DeliveryParams = Type.Object({
  id: subscriptionId,
  deliveryId: Type.String({
    description: "The delivery's id, as the log shows it",
    examples: ['0193a1f0-7c00-7000-8000-000000000005'],
  }),
});

// The rule checks address and types itself, so that every refusal names what is wrong in words.
const url = Type.String({ minLength: 1, maxLength: 2048, description: 'https, and never a private address' });
const description = Type.String({ maxLength: 1000 });
const eventTypes = Type.Array(Type.String({ maxLength: 100, describedAs: 'EventType' }), {
  maxItems: 50,
  description: 'Empty: every order event, those to come included',
});

export const NewSubscriptionBody = Type.Object(
  {
    url,
    description: Type.Optional(Type.Union([description, Type.Null()])),
    event_types: Type.Optional(Type.Union([eventTypes, Type.Null()])),
  },
  {
    title: 'NewWebhookSubscription',
    examples: [{ url: 'https://erp.example.com/hooks/orders', event_types: ['order.created', 'order.cancelled'] }],
  },
);

export const SubscriptionChange = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    event_types: Type.Optional(eventTypes),
    status: Type.Optional(Type.Unsafe<'active' | 'paused'>({ type: 'string', enum: ['active', 'paused'] })),
  },
  { title: 'WebhookSubscriptionChange', examples: [{ status: 'paused' }] },
);
export type SubscriptionChangeInput = Static<typeof SubscriptionChange>;

const subscriptionFields = {
  id: string,
  organization_id: string,
  url: string,
  description: string,
  event_types: Type.Array(Type.String({ describedAs: 'EventType' })),
  status: Type.Unsafe<SubscriptionStatus>({ title: 'WebhookStatus', type: 'string', enum: [...SUBSCRIPTION_STATUSES] }),
  disabled_reason: string,
  secret_hint: string,
  rotating: Type.Boolean(),
  created: string,
  updated: string,
  last_success_at: string,
  last_failure_at: string,
};
export const subscriptionExample = {
  id: exampleId,
  organization_id: exampleId,
  url: 'https://erp.example.com/hooks/orders',
  description: '',
  event_types: ['order.cancelled', 'order.created'],
  status: 'active',
  disabled_reason: '',
  secret_hint: 'Qk9z',
  rotating: false,
  created: timestamp,
  updated: timestamp,
  last_success_at: '',
  last_failure_at: '',
};
export const SubscriptionShape = Type.Object(subscriptionFields, {
  title: 'WebhookSubscription',
  examples: [subscriptionExample],
});
export const SubscriptionWithSecret = Type.Object(
  { ...subscriptionFields, secret: Type.String({ description: 'Shown this once' }) },
  { title: 'WebhookSubscriptionWithSecret', examples: [{ ...subscriptionExample, secret: 'whsec_c2VjcmV0Li4uQk9z' }] },
);
export const SubscriptionList = Type.Object(
  {
    data: Type.Array(SubscriptionShape),
    count: Type.Integer(),
    event_types: Type.Array(Type.String({ describedAs: 'EventType' }), { description: 'All that a filter may name' }),
  },
  {
    title: 'WebhookSubscriptionList',
    examples: [{ data: [subscriptionExample], count: 1, event_types: ['order.cancelled', 'order.created'] }],
  },
);

const deliveryExample = {
  id: exampleId,
  subscription_id: exampleId,
  event_id: 'evt_1794700000000000_42',
  event_type: 'order.created',
  status: 'pending',
  attempts: 1,
  next_attempt_at: timestamp,
  last_status_code: 503,
  last_error: 'status 503',
  created: timestamp,
  delivered_at: null,
  attempt_log: [{ at: timestamp, status_code: 503, error: 'status 503', duration_ms: 18, response_excerpt: 'busy' }],
};
const Status = Type.Unsafe<DeliveryStatus>({
  title: 'DeliveryStatus',
  type: 'string',
  enum: [...DELIVERY_STATUSES],
});
const deliveryFields = {
  id: string,
  subscription_id: string,
  event_id: string,
  event_type: Type.String({ describedAs: { anyOf: [{ describedAs: 'EventType' }, { const: TEST_TYPE }] } }),
  status: Status,
  attempts: Type.Integer(),
  next_attempt_at: nullable(string),
  last_status_code: nullable(Type.Integer()),
  last_error: string,
  created: string,
  delivered_at: nullable(string),
  attempt_log: Type.Array(
    Type.Object(
      {
        at: string,
        status_code: nullable(Type.Integer()),
        error: string,
        duration_ms: Type.Number(),
        response_excerpt: string,
      },
      { title: 'DeliveryAttempt' },
    ),
  ),
};
export const DeliveryShape = Type.Object(deliveryFields, {
  title: 'Delivery',
  description: 'One event on its way to one subscription',
  examples: [deliveryExample],
});

const payloadExample = {
  spec_version: '2026-09-29',
  id: deliveryExample.event_id,
  type: deliveryExample.event_type,
  occurred_at: '2026-11-15T08:00:00.000000Z',
  organization_id: exampleId,
  cursor: '0000000000000042_1794700000',
  order_id: exampleId,
  change: 'created',
  changed_fields: [],
  status_from: '',
  status_to: 'received',
  payment_status_from: '',
  payment_status_to: 'pending',
  order: { id: exampleId, status: 'received', status_raw: 'RECEIVED' },
};
export const DeliveryWithPayload = Type.Object(
  {
    ...deliveryFields,
    headers: Type.Record(string, string, {
      description: 'The same with every attempt. The timestamp and the signature are made anew for each and not kept',
    }),
    payload: nullable(
      Type.Object({}, { additionalProperties: true, description: 'The body, byte for byte as it is sent' }),
    ),
  },
  {
    title: 'DeliveryWithPayload',
    examples: [
      {
        ...deliveryExample,
        headers: steadyHeaders({ ...deliveryExample, organization_id: exampleId }),
        payload: payloadExample,
      },
    ],
  },
);

const deliveryList = listEnvelopeOf(DeliveryShape);
export const DeliveryList = Type.Object(deliveryList.properties, {
  title: 'DeliveryList',
  examples: [{ data: [deliveryExample], count: 1, total_count: 1, page: 1, limit: 20, has_next: false, meta: {} }],
});

export const DeliveryQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(
    Type.Unsafe<DeliveryStatus>({ ...Status, description: 'Only those in this status', examples: ['dead'] }),
  ),
});

export const RecoverBody = Type.Object(
  { since: Type.String({ format: 'date-time', description: 'Deliveries made since then that never arrived' }) },
  { title: 'Recovery', examples: [{ since: timestamp }] },
);

/** A test event has the fields of a real one and no order. */
export const TEST_EVENT_OF_NO_ORDER = {
  order_id: '',
  change: 'test',
  changed_fields: [],
  status_from: '',
  status_to: '',
  payment_status_from: '',
  payment_status_to: '',
};

export const testEventExample = {
  spec_version: '2026-09-29',
  id: 'evt_1794700000000000_815',
  type: TEST_TYPE,
  occurred_at: '2026-11-15T08:00:00.000000Z',
  organization_id: exampleId,
  cursor: '0000000000000042_1794700000',
  ...TEST_EVENT_OF_NO_ORDER,
};

/** The event of the test route. */
export const TestEvent = Type.Object(
  {
    spec_version: string,
    id: string,
    type: Type.Literal(TEST_TYPE),
    occurred_at: Type.String({ format: 'date-time' }),
    organization_id: string,
    cursor: Type.String({ description: 'Where the feed stands' }),
    order_id: Type.Literal(''),
    change: Type.Literal('test'),
    changed_fields: Type.Array(string, { maxItems: 0 }),
    status_from: Type.Literal(''),
    status_to: Type.Literal(''),
    payment_status_from: Type.Literal(''),
    payment_status_to: Type.Literal(''),
  },
  { title: 'TestEvent' },
);
