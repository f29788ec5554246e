import { Type } from 'typebox';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { eventExample } from './examples.ts';

/** A status is in the words of the orders, which this module does not know; the description of the API takes them from there. */
const status = (name: string) => ({
  before: Type.String({
    describedAs: { anyOf: [{ describedAs: name }, { const: '' }] },
    description: 'Empty on creation',
  }),
  after: Type.String({ describedAs: name }),
});
const orderStatus = status('OrderStatus');
const paymentStatus = status('PaymentStatus');

export const OrderEvent = Type.Object(
  {
    spec_version: Type.String(),
    id: Type.String({ description: 'Equals the webhook-id header of its deliveries' }),
    type: Type.Unsafe<EventType>({ title: 'EventType', type: 'string', enum: [...EVENT_TYPES] }),
    occurred_at: Type.String({ format: 'date-time', description: 'To the microsecond' }),
    organization_id: Type.String(),
    cursor: Type.String({ description: 'Its place in the feed. Sorts as text' }),
    order_id: Type.String(),
    change: Type.String({ description: 'The word after the dot of the type' }),
    changed_fields: Type.Array(Type.String(), { description: 'By the names of the order; empty on creation' }),
    status_from: orderStatus.before,
    status_to: orderStatus.after,
    payment_status_from: paymentStatus.before,
    payment_status_to: paymentStatus.after,
    order: Type.Object(
      {},
      { additionalProperties: true, describedAs: 'CanonicalOrder', description: 'The order after the change' },
    ),
  },
  { title: 'OrderEvent', description: 'A change of an order', examples: [eventExample] },
);

export const FeedAnswer = Type.Object(
  {
    spec_version: Type.String(),
    organization_id: Type.String(),
    events: Type.Array(OrderEvent),
    next_cursor: Type.String(),
    has_more: Type.Boolean(),
  },
  {
    title: 'OrderChanges',
    examples: [
      {
        spec_version: '2026-09-29',
        organization_id: eventExample.organization_id,
        events: [eventExample],
        next_cursor: eventExample.cursor,
        has_more: false,
      },
    ],
  },
);

export const FeedQueryString = Type.Object({
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "An event's cursor: after it. `now`: from here on. None: from the oldest stored event",
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, default: 100, description: 'More than 500 is taken as 500' })),
  event_types: Type.Optional(
    Type.Union([Type.String({ maxLength: 1000 }), Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 50 })], {
      describedAs: { type: 'array', items: { describedAs: 'EventType' }, maxItems: 50 },
      description: 'Only events of these types. Repeated, or separated by commas; an unknown one is 400',
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Seconds to wait for an event when there is none',
    }),
  ),
});

export const StreamQueryString = Type.Object({
  cursor: FeedQueryString.properties.cursor,
  event_types: FeedQueryString.properties.event_types,
});
