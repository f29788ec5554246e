import { Type } from 'typebox';

export const eventExample = {
  spec_version: '2026-09-29',
  id: 'evt_1794700000000000_420000000001',
  type: 'order.status_changed',
  occurred_at: '2026-11-15T08:00:00.000000Z',
  organization_id: '0193a1f0-7c00-7000-8000-000000000001',
  cursor: '0000000000000042_1794700000',
  order_id: '0193a1f0-7c00-7000-8000-000000000002',
  change: 'status_changed',
  changed_fields: ['order_status'],
  status_from: 'received',
  status_to: 'dispatched',
  payment_status_from: 'paid',
  payment_status_to: 'paid',
  order: { id: '0193a1f0-7c00-7000-8000-000000000002', status: 'dispatched', status_raw: 'DISPATCHED' },
};

export const OrderEvent = Type.Object(
  {
    spec_version: Type.String(),
    id: Type.String(),
    type: Type.String(),
    occurred_at: Type.String(),
    organization_id: Type.String(),
    cursor: Type.String(),
    order_id: Type.String(),
    change: Type.String(),
    changed_fields: Type.Array(Type.String()),
    status_from: Type.String(),
    status_to: Type.String(),
    payment_status_from: Type.String(),
    payment_status_to: Type.String(),
    order: Type.Object({}, { additionalProperties: true, description: 'The canonical order after the change' }),
  },
  { examples: [eventExample] },
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
      description: "An event's cursor: after it. `now`: from here on. None: the oldest kept",
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, default: 100, description: 'More than 500 is taken as 500' })),
  event_types: Type.Optional(
    Type.Union([Type.String({ maxLength: 1000 }), Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 50 })], {
      description: 'Repeated, or separated by commas',
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
