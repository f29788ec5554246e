import type { App } from '../../../platform/http/app.ts';
import { mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { countLowStock } from '../../skus/index.ts';
import { readRangeDays } from '../range.ts';
import { changeGoal, readGoal } from './goals.ts';
import { readBranchFigures, readLastYear, type SalesSources } from './read-sales.ts';
import * as shapes from './schema.ts';

const tags = ['Analytics'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

/** Figures of the console's home beside the nine sections of the dashboard. */
export function analyticsHomeRoutes(app: App, sources: SalesSources): void {
  const { sql, clock } = sources;

  app.get(
    '/analytics/low-stock',
    {
      config: { access: tenant('read', 'Products') },
      schema: {
        tags,
        operationId: 'countLowStock',
        summary: 'Count the SKUs at or under their threshold by branch',
        description:
          'Exact counts of what the `alerts` of the dashboard list in part. SKUs without a threshold are not counted. An account confined to one branch sees that branch.',
        response: { 200: shapes.LowStock, ...refusals },
      },
    },
    async (request) => {
      const { organizationId, branchId } = tenantOf(request);
      const branches = await countLowStock(sql, { organizationId, branchId });
      const total = (name: 'skus' | 'out_of_stock') => branches.reduce((sum, branch) => sum + branch[name], 0);
      return { organization_id: organizationId, skus: total('skus'), out_of_stock: total('out_of_stock'), branches };
    },
  );

  app.get(
    '/analytics/branches',
    {
      config: { access: tenant('read', 'Analytics') },
      schema: {
        tags,
        operationId: 'readBranchFigures',
        summary: 'Sales of a range by branch',
        description:
          'Counted as in the `summary` of the dashboard. An account confined to one branch sees that branch.',
        querystring: shapes.RangeOnly,
        response: { 200: shapes.BranchFigures, ...refusals },
      },
    },
    (request) => readBranchFigures(sources, tenantOf(request), readRangeDays(request.query.range)),
  );

  app.get(
    '/analytics/last-year',
    {
      config: { access: tenant('read', 'Analytics') },
      schema: {
        tags,
        operationId: 'readLastYear',
        summary: 'Sales of the same days a year ago',
        description:
          'The days 364 before those of the range: 52 weeks, so that each weekday is compared with itself. An account confined to one branch sees that branch.',
        querystring: shapes.RangeOnly,
        response: { 200: shapes.LastYear, ...refusals },
      },
    },
    (request) => readLastYear(sources, tenantOf(request), readRangeDays(request.query.range)),
  );

  app.get(
    '/analytics/goals',
    {
      config: { access: tenant('read', 'Analytics', { branchConfined: 'refused' }) },
      schema: {
        tags,
        operationId: 'readRevenueGoal',
        summary: "Read the revenue goal of a month and the organization's progress",
        description: 'The goal, the revenue so far, and what the month will bring at the pace of the last 28 days.',
        querystring: shapes.GoalQuery,
        response: { 200: shapes.Goal, ...refusals },
      },
    },
    (request) => readGoal(sources, tenantOf(request), request.query.month),
  );

  app.put(
    '/analytics/goals',
    {
      config: { access: tenant('update', 'Analytics', { branchConfined: 'refused' }) },
      schema: {
        tags,
        operationId: 'changeRevenueGoal',
        summary: 'Set or remove the revenue goal of a month',
        description: 'Repeating the request has no further effect.',
        body: shapes.GoalBody,
        response: { 200: shapes.GoalAnswer, ...refusals },
      },
    },
    async (request) => {
      const author = tenantOf(request);
      await changeGoal(sql, clock, author, request.body);
      return mutationEnvelope(clock, 'Revenue goal updated', await readGoal(sources, author, request.body.month));
    },
  );
}
