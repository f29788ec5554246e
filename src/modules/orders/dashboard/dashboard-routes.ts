import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { localDay } from '../../../platform/local-day.ts';
import type { Platform } from '../../../platform/platform.ts';
import { EVENT_SPEC_VERSION } from '../../events/index.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { type AnswerSlots, createAnswerSlots } from '../answer-slots.ts';
import { orderId } from '../examples.ts';
import { exportOrders, MAX_EXPORT_ROWS } from '../export/export-orders.ts';
import { sendInPieces, writeArray } from '../list/list-answer.ts';
import { readFilter, readOrderSort } from '../list/list-orders.ts';
import { sendPieces, whenAnswered } from '../list/send-pieces.ts';
import { orderNotFound } from '../refusals.ts';
import { getTimelinePage } from '../timeline/read-timeline.ts';
import { readDashboard } from './dashboard.ts';
import * as shapes from './dashboard-schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

/** An export takes little memory and no connection while its client does not read, but it is long. */
const EXPORTS = { perTenant: 4, overall: 64, waitMs: 0, waitingPerTenant: 0 };

export function dashboardRoutes(app: App, { sql, clock, log }: Platform, largeAnswers: AnswerSlots): void {
  const exports = createAnswerSlots(EXPORTS);

  app.get(
    '/orders/dashboard',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'readOrdersDashboard',
        summary: 'How the orders stand now, and what today brought',
        description: 'Days are those of the organization. An account confined to one branch sees that branch.',
        response: { 200: shapes.Dashboard, ...refusals },
      },
    },
    (request) => readDashboard(sql, clock, tenantOf(request)),
  );

  app.get(
    '/orders/dashboard/export',
    {
      config: { access: tenant('export', 'Orders') },
      schema: {
        tags,
        operationId: 'exportOrders',
        summary: `Orders as CSV, at most ${MAX_EXPORT_ROWS}; X-Truncated says whether there are more`,
        description:
          "The list's filters and sort, without pages. Each order once, as it is when its row is written. Four at a time for an organization. Needs the export grant.",
        querystring: shapes.ExportQuery,
        // By content, and not by `produces`: refusals are JSON here as everywhere.
        response: {
          200: {
            description: 'The orders',
            headers: {
              'X-Truncated': { type: 'string', enum: ['true', 'false'], description: 'Whether there are more' },
            },
            content: { 'text/csv': { schema: shapes.ExportAnswer } },
          },
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const answer = reply as unknown as FastifyReply;
      const filter = readFilter(owner, request.query);
      const sort = readOrderSort(request.query);
      whenAnswered(answer, await exports.enter(owner.organizationId));
      const { truncated, csv } = await exportOrders(sql, filter, sort);
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="orders-${localDay(clock.now(), owner.timeZone)}.csv"`)
        .header('x-truncated', String(truncated));
      return sendPieces(answer, csv, log) as never;
    },
  );

  app.get(
    '/orders/:id/timeline',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'readOrderTimeline',
        summary: 'What happened to an order, oldest first',
        description: 'Its events of the last 30 days as the change feed has them, byte for byte.',
        refuses: [orderNotFound(orderId)],
        params: Type.Object({ id: Type.String({ description: "The order's id", examples: [orderId] }) }),
        querystring: shapes.TimelineQuery,
        response: { 200: shapes.Timeline, ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const { page = 1, limit = shapes.TIMELINE_LIMIT } = request.query;
      const found = await getTimelinePage(sql, owner, request.params.id, { offset: (page - 1) * limit, limit });
      const head = {
        spec_version: EVENT_SPEC_VERSION,
        organization_id: owner.organizationId,
        order_id: request.params.id.toLowerCase(),
        page,
        limit,
        has_next: found.hasNext,
        events: [],
      };
      // The bodies go out as they are stored; parsing them to print them again could change a byte.
      const start = JSON.stringify(head).slice(0, -'[]}'.length);
      if (found.isLarge) {
        const { pieces } = found;
        const answer = reply as unknown as FastifyReply;
        return sendInPieces({ sql, log, largeAnswers }, answer, owner.organizationId, () =>
          writeArray(start, pieces()),
        ) as never;
      }
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((text) => text as string)
        .send(`${start}[${found.bodies.join(',')}]}` as never);
    },
  );
}
