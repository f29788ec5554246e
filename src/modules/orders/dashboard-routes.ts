import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { localDay } from '../../platform/local-day.ts';
import type { Platform } from '../../platform/platform.ts';
import { EVENT_SPEC_VERSION } from '../events/index.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { readDashboard } from './dashboard.ts';
import * as shapes from './dashboard-schema.ts';
import { exportOrders, MAX_EXPORT_ROWS } from './export-orders.ts';
import { readFilter, readOrderSort } from './list-orders.ts';
import { getTimeline } from './read-timeline.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function dashboardRoutes(app: App, { sql, clock }: Platform): void {
  app.get(
    '/orders/dashboard',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'readOrdersDashboard',
        summary: 'How the orders stand now, and what today brought',
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
        querystring: shapes.ExportQuery,
        produces: ['text/csv'],
        response: { 200: shapes.ExportAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const { truncated, csv } = await exportOrders(
        sql,
        readFilter(owner, request.query),
        readOrderSort(request.query),
      );
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="orders-${localDay(clock.now(), owner.timeZone)}.csv"`)
        .header('x-truncated', String(truncated))
        .send(csv as never);
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
        params: Type.Object({ id: Type.String() }),
        response: { 200: shapes.Timeline, ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const bodies = await getTimeline(sql, owner, request.params.id);
      const head = {
        spec_version: EVENT_SPEC_VERSION,
        organization_id: owner.organizationId,
        order_id: request.params.id.toLowerCase(),
      };
      // The bodies go out as they are stored; parsing them to print them again could change a byte.
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((text) => text as string)
        .send(`${JSON.stringify(head).slice(0, -1)},"events":[${bodies.join(',')}]}` as never);
    },
  );
}
