import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { localDay } from '../../../platform/local-day.ts';
import type { Platform } from '../../../platform/platform.ts';
import { EVENT_SPEC_VERSION } from '../../events/index.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { orderId } from '../examples.ts';
import { exportOrders, MAX_EXPORT_ROWS } from '../export/export-orders.ts';
import { sendInPieces, writeArray } from '../list/list-answer.ts';
import { readFilter, readOrderSort, resolveState } from '../list/list-orders.ts';
import { sendPieces, whenAnswered } from '../list/send-pieces.ts';
import { orderNotFound } from '../refusals.ts';
import { createResponseLimiter, type ResponseLimiter } from '../response-limiter.ts';
import { getTimelinePage } from '../timeline/read-timeline.ts';
import { readDashboard } from './dashboard.ts';
import * as shapes from './dashboard-schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

/** An export takes little memory, and no connection while its client does not read, but it may take long. */
const EXPORTS = { maxConcurrent: 64, maxConcurrentPerTenant: 4, maxQueuedPerTenant: 0, maxWaitMs: 0 };

export function dashboardRoutes(app: App, { sql, clock, log }: Platform, largeResponses: ResponseLimiter): void {
  const exports = createResponseLimiter(EXPORTS);

  app.get(
    '/orders/dashboard',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'readOrdersDashboard',
        summary: 'Current order numbers and the sales of today',
        description: "Days are in the organization's time zone. An account confined to one branch sees that branch.",
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
        summary: `Export orders as CSV, at most ${MAX_EXPORT_ROWS}. X-Truncated says whether there are more`,
        description:
          'Takes the filters and the sort of the list, without pages. Each order appears once, in its state when its row is written. An organization may run four exports at a time. Requires the export grant.',
        querystring: shapes.ExportQuery,
        // By content and not by `produces`, because errors are JSON as on every route.
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
      const { query } = request;
      const filter = await resolveState(sql, readFilter(owner, query), query.state, clock.now());
      const sort = readOrderSort(query);
      whenAnswered(answer, await exports.acquire(owner.organizationId));
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
        summary: 'The events of an order, oldest first',
        description: 'The events of the last 30 days, byte for byte as in the change feed.',
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
      // The stored bodies are sent unparsed: parsing and serialising them could change a byte.
      const start = JSON.stringify(head).slice(0, -'[]}'.length);
      if (found.isLarge) {
        const { pieces } = found;
        const answer = reply as unknown as FastifyReply;
        return sendInPieces({ sql, log, largeResponses }, answer, owner.organizationId, () =>
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
