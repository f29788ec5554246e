import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { PagerQuery, pager, readPager } from '../../../platform/http/camel-case-pager.ts';
import { listEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import type { Platform } from '../../../platform/platform.ts';
import { entryShape, listOperatorAudit } from '../../audit/index.ts';
import { commercial } from '../../identity/index.ts';
import { listAdjustments, listPayments } from '../billing/index.ts';
import { AccountingOverview, FleetMetrics } from './fleet-schema.ts';
import { AdjustmentPage, PaymentPage } from './money-schema.ts';
import { adjustmentShape, paymentShape } from './money-shapes.ts';
import { OperatorAuditList, OperatorAuditQuery } from './organizations-schema.ts';
import { readAccountingOverview } from './read-accounting-overview.ts';
import { createReadFleetMetrics } from './read-fleet-metrics.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

/** What the operator sees of all organizations together. */
export function fleetRoutes(app: App, { sql, clock }: Platform): void {
  const readFleetMetrics = createReadFleetMetrics(sql);
  app.get(
    '/commercial/accounting-overview',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'readAccountingOverview',
        summary: 'The books of the whole fleet',
        description:
          'Money in riyals. Every figure is the sum of rows that never change, kept as they are written. Whether a fee is ' +
          'overdue is a matter of the date in Riyadh, whenever the billing last ran.',
        response: { 200: AccountingOverview, ...refusals },
      },
    },
    () => readAccountingOverview(sql, clock.now()),
  );

  app.get(
    '/commercial/fleet-metrics',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'readFleetMetrics',
        summary: 'Every organization with what it has, sells and pays, and their totals',
        description:
          'All of them, without pages; the totals are the sums of the rows. Orders are counted a moment after they were ' +
          'placed.',
        response: { 200: FleetMetrics, ...refusals },
      },
    },
    async (_request, reply) => {
      const bytes = await readFleetMetrics(clock.now());
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((ready) => ready as string)
        .send(bytes as never);
    },
  );

  app.get(
    '/commercial/recent-payments',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listRecentPayments',
        summary: 'Payments of all organizations, newest first',
        description: 'page and perPage fall back where they make no sense.',
        querystring: Type.Object(PagerQuery),
        response: { 200: PaymentPage, ...refusals },
      },
    },
    async (request) => {
      const paging = readPager(request.query);
      const { rows, total } = await listPayments(sql, paging);
      return pager(rows.map(paymentShape), total, paging);
    },
  );

  app.get(
    '/commercial/balance-adjustments',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listBalanceAdjustments',
        summary: 'Credits, refunds and adjustments of all organizations, newest first',
        description: 'page and perPage fall back where they make no sense.',
        querystring: Type.Object(PagerQuery),
        response: { 200: AdjustmentPage, ...refusals },
      },
    },
    async (request) => {
      const paging = readPager(request.query);
      const { rows, total } = await listAdjustments(sql, paging);
      return pager(rows.map(adjustmentShape), total, paging);
    },
  );

  app.get(
    '/commercial/audit',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listOperatorAudit',
        summary: 'What operators did, to whichever organization, newest first',
        description: 'Kept for 400 days. What an organization does itself is in its own audit.',
        querystring: OperatorAuditQuery,
        response: { 200: OperatorAuditList, ...refusals },
      },
    },
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
