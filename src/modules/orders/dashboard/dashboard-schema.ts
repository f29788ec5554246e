import { type Static, Type } from 'typebox';
import { OrderEvent } from '../../events/index.ts';
import { canonical, orderId } from '../examples.ts';
import { CANONICAL_STATUSES, type CanonicalStatus } from '../order-status.ts';
import { ListQuery } from '../schema.ts';

const organizationId = '0193a1f0-7c00-7000-8000-000000000001';
const branchId = '0193a1f0-7c00-7000-8000-000000000003';
const count = Type.Integer();
const text = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const Dashboard = Type.Object(
  {
    organization_id: Type.String(),
    today: Type.Object(
      { orders: count, revenue: Type.Number() },
      {
        description:
          "Created since midnight in the organization's time zone. Revenue excludes cancelled and refunded orders and is in the organization's most used currency",
      },
    ),
    open: Type.Integer({ description: 'Neither delivered nor cancelled, whenever they were created' }),
    late: Type.Integer({ description: 'Open and past promised_for' }),
    by_status: Type.Object(
      Object.fromEntries(CANONICAL_STATUSES.map((status) => [status, count])) as Record<CanonicalStatus, typeof count>,
      { description: 'All orders by normalised status. All seven statuses are present' },
    ),
    by_channel: Type.Array(Type.Object({ app_slug: Type.String(), orders: count, revenue: Type.Number() }), {
      description: "Today's, busiest first",
    }),
    by_branch: Type.Array(Type.Object({ branch_id: text, store_name: text, orders: count, revenue: Type.Number() }), {
      description: "Today's, busiest first. Orders without a branch are under null",
    }),
  },
  {
    title: 'OrdersDashboard',
    examples: [
      {
        organization_id: organizationId,
        today: { orders: 42, revenue: 3120.5 },
        open: 9,
        late: 1,
        by_status: {
          received: 5,
          ready_for_pickup: 2,
          dispatched: 2,
          delivered: 18240,
          cancelled: 611,
          pending_payment: 0,
          unknown: 0,
        },
        by_channel: [
          { app_slug: 'jahez', orders: 24, revenue: 1710 },
          { app_slug: 'salla', orders: 18, revenue: 1410.5 },
        ],
        by_branch: [{ branch_id: branchId, store_name: 'Olaya', orders: 42, revenue: 3120.5 }],
      },
    ],
  },
);
export type DashboardShape = Static<typeof Dashboard>;

const { page, limit, format, include, ...filters } = ListQuery.properties;
/** The filters and the sort of the list, without pages. */
export const ExportQuery = Type.Object(filters);

export const ExportAnswer = Type.String({
  description: 'UTF-8 with a byte order mark, CRLF line ends, the first line names the columns',
  examples: [
    '\uFEFFid,order_code,created_at\r\n0193a1f0-7c00-7000-8000-000000000002,DK-261115-7F3K9Q,2026-11-15T08:00:00.000Z\r\n',
  ],
});

export const TIMELINE_LIMIT = 100;
export const TimelineQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, default: 1, description: 'The first page is 1' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: TIMELINE_LIMIT, description: 'How many events a page has' }),
  ),
});

export const Timeline = Type.Object(
  {
    spec_version: Type.String(),
    organization_id: Type.String(),
    order_id: Type.String(),
    page: Type.Integer(),
    limit: Type.Integer(),
    has_next: Type.Boolean({ description: 'Whether the next page has later events' }),
    events: Type.Array(OrderEvent, {
      description: 'The events of the last 30 days as in the change feed, oldest first',
    }),
  },
  {
    title: 'OrderTimeline',
    examples: [
      {
        spec_version: '2026-09-29',
        organization_id: organizationId,
        order_id: orderId,
        page: 1,
        limit: TIMELINE_LIMIT,
        has_next: false,
        events: [
          {
            spec_version: '2026-09-29',
            id: 'evt_1794729600000000_42',
            type: 'order.created',
            occurred_at: '2026-11-15T08:00:00.000000Z',
            organization_id: organizationId,
            cursor: '0000000000000042_1794729600',
            order_id: orderId,
            change: 'created',
            changed_fields: [],
            status_from: '',
            status_to: 'received',
            payment_status_from: '',
            payment_status_to: 'pending',
            order: canonical,
          },
        ],
      },
    ],
  },
);
