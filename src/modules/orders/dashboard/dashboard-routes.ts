import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import type { Platform } from '../../../platform/platform.ts';
import { EVENT_SPEC_VERSION } from '../../events/index.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { orderId } from '../examples.ts';
import { exportOrders, MAX_EXPORT_ROWS } from '../export/export-orders.ts';
import { createCsvExports, csvAnswer } from '../list/csv-exports.ts';
import { sendInPieces, writeArray } from '../list/list-answer.ts';
import { readFilter, readOrderSort, resolveState } from '../list/list-orders.ts';
import { orderNotFound } from '../refusals.ts';
import type { ResponseLimiter } from '../response-limiter.ts';
import { getTimelinePage } from '../timeline/read-timeline.ts';
import { readDashboard } from './dashboard.ts';
import * as shapes from './dashboard-schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function dashboardRoutes(app: App, { sql, clock, log }: Platform, largeResponses: ResponseLimiter): void {
  const exports = createCsvExports({ clock, log });

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
        response: { 200: csvAnswer('The orders', shapes.ExportAnswer), ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const answer = reply as unknown as FastifyReply;
      const { query } = request;
      const filter = await resolveState(sql, readFilter(owner, query), query.state, clock.now());
      const sort = readOrderSort(query);
      return exports.send(answer, owner, 'orders', () => exportOrders(sql, filter, sort)) as never;
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
