import { inTransaction } from '../../../../platform/database/index.ts';
import type { App } from '../../../../platform/http/app.ts';
import { ProblemSchema } from '../../../../platform/http/envelopes.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { actorOf, commercial, countOrganizationsByPlan } from '../../../identity/index.ts';
import { readPlans } from '../../billing/index.ts';
import { changePlan, planNotFound } from './change-plan.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function planRoutes(app: App, { sql, clock }: Platform): void {
  const readOne = async (code: string) => {
    const [plans, organizations] = await Promise.all([readPlans(sql), countOrganizationsByPlan(sql)]);
    const plan = plans.find((row) => row.plan === code);
    if (plan === undefined) throw planNotFound(code);
    return shapes.planShape(plan, organizations);
  };

  app.get(
    '/commercial/plans',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listPlans',
        summary: 'List plans with their prices',
        description: 'By code, without pages.',
        response: { 200: shapes.PlanList, ...refusals },
      },
    },
    async () => {
      const [plans, organizations] = await Promise.all([readPlans(sql), countOrganizationsByPlan(sql)]);
      return { items: plans.map((plan) => shapes.planShape(plan, organizations)), total_items: plans.length };
    },
  );

  app.get(
    '/commercial/plans/:code',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'getPlan',
        summary: 'Read a plan',
        description: 'With the number of organizations that have it.',
        refuses: [planNotFound(shapes.EXAMPLE_PLAN)],
        params: shapes.PlanParams,
        response: { 200: shapes.PlanShape, ...refusals },
      },
    },
    ({ params }) => readOne(params.code),
  );

  app.patch(
    '/commercial/plans/:code',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'changePlan',
        summary: 'Change the prices of a plan',
        description:
          'Absent fields stay as they are. Applies to months that are charged from now on; fees that were charged do not change.',
        refuses: [planNotFound(shapes.EXAMPLE_PLAN)],
        params: shapes.PlanParams,
        body: shapes.PlanChangeBody,
        response: { 200: shapes.PlanShape, ...refusals },
      },
    },
    async (request) => {
      const { params, body } = request;
      const actor = actorOf(request);
      const { plan } = await inTransaction(sql, (tx) => changePlan(tx, params.code, body, actor, clock.now()));
      return readOne(plan);
    },
  );
}
