import type { FastifyReply } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { pager, readPager } from '../../../platform/http/camel-case-pager.ts';
import { listEnvelope } from '../../../platform/http/envelopes.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import type { Platform } from '../../../platform/platform.ts';
import { entryShape, listOperatorAudit } from '../../audit/index.ts';
import { commercial } from '../../identity/index.ts';
import { listAdjustments, listPayments } from '../billing/index.ts';
import { cacheFleetAnswer } from './cache-fleet-answer.ts';
import * as docs from './fleet-route-docs.ts';
import { adjustmentShape, paymentShape } from './money-shapes.ts';
import { readAccountingOverview } from './read-accounting-overview.ts';
import { readFleetMetrics } from './read-fleet-metrics.ts';

/** Figures and lists over all organizations. */
export function fleetRoutes(app: App, { sql, clock }: Platform): void {
  const fleetMetrics = cacheFleetAnswer(sql, readFleetMetrics);
  const accountingOverview = cacheFleetAnswer(sql, readAccountingOverview);
  app.get(
    '/commercial/accounting-overview',
    { config: { access: commercial }, schema: docs.readAccountingOverviewDoc },
    async (_request, reply) =>
      sendJson(reply as unknown as FastifyReply, await accountingOverview(clock.now())) as never,
  );

  app.get(
    '/commercial/fleet-metrics',
    { config: { access: commercial }, schema: docs.readFleetMetricsDoc },
    async (_request, reply) => sendJson(reply as unknown as FastifyReply, await fleetMetrics(clock.now())) as never,
  );

  app.get(
    '/commercial/recent-payments',
    { config: { access: commercial }, schema: docs.listRecentPaymentsDoc },
    async (request) => {
      const paging = readPager(request.query);
      const { rows, total } = await listPayments(sql, paging);
      return pager(rows.map(paymentShape), total, paging);
    },
  );

  app.get(
    '/commercial/balance-adjustments',
    { config: { access: commercial }, schema: docs.listBalanceAdjustmentsDoc },
    async (request) => {
      const paging = readPager(request.query);
      const { rows, total } = await listAdjustments(sql, paging);
      return pager(rows.map(adjustmentShape), total, paging);
    },
  );

  app.get(
    '/commercial/audit',
    { config: { access: commercial }, schema: docs.listOperatorAuditDoc },
    async (request) => {
      const { organization_id: organizationId, action, from, to } = request.query;
      const paging = readPaging(request.query);
      const filter = {
        organizationId,
        action,
        from: from === undefined ? undefined : parseInstant(from),
        to: to === undefined ? undefined : parseInstant(to),
      };
      const { rows, total } = await listOperatorAudit(sql, filter, paging);
      const data = rows.map((row) => ({ organization_id: row.organization_id, ...entryShape(row) }));
      return listEnvelope(data, total, paging);
    },
  );
}

function sendJson(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((ready: unknown) => ready as string)
    .send(json);
}
