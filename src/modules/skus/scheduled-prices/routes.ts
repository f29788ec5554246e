import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { type ListedSchedule, listSchedules } from '../sql/scheduled-prices.ts';
import { applyDuePrices } from './apply-due-prices.ts';
import { alreadyScheduled, cancelSchedule, scheduleNotFound, schedulePrices } from './schedule-prices.ts';
import * as shapes from './schema.ts';

const tags = ['SKUs'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
/** A schedule may hold SKUs of any branch. */
const wholeOrganization = { branchConfined: 'refused' } as const;

export function scheduledPriceRoutes(app: App, { sql, backgroundSql, clock, jobs, idempotentWrite }: Platform): void {
  jobs.every('apply-scheduled-prices', '* * * * *', async ({ signal }) => {
    await applyDuePrices({ sql: backgroundSql, clock }, signal);
  });

  app.get(
    '/skus/scheduled-prices',
    {
      config: { access: tenant('read', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: 'listScheduledPrices',
        summary: 'Scheduled prices, latest start first',
        description: 'Prices start and end within a minute of their time. Ended schedules stay in the list.',
        querystring: shapes.ScheduleQuery,
        response: { 200: shapes.ScheduleList, ...refusals },
      },
    },
    async (request) => {
      const { organizationId } = tenantOf(request);
      const paging = readPaging(request.query);
      const { rows, total } = await listSchedules(sql, organizationId, request.query.status, paging);
      return listEnvelope(rows.map(scheduleShape), total, paging);
    },
  );

  app.post(
    '/skus/scheduled-prices',
    {
      config: { access: tenant('update', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: 'schedulePrices',
        summary: `Schedule a price for up to ${shapes.MAX_SCHEDULED_SKUS} SKUs`,
        description:
          'Either a price or a percentage of the effective price. At ends_at the earlier prices return, except where a price was changed meanwhile. Two schedules of one SKU cannot overlap.',
        takes: ['idempotency-key'],
        refuses: [
          unprocessable({ ends_at: 'must be later than starts_at and than now' }),
          alreadyScheduled(['PAIN-0003_RUH-OLAYA']),
        ],
        body: shapes.NewScheduleBody,
        response: { 201: shapes.ScheduleCreated, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const created = await schedulePrices(tx, organizationId, request.body, actor, clock.now());
        return { status: 201, body: mutationEnvelope(clock, 'Prices scheduled', created) };
      });
    },
  );

  app.delete(
    '/skus/scheduled-prices/:id',
    {
      config: { access: tenant('update', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: 'cancelScheduledPrices',
        summary: 'Cancel scheduled prices',
        description: 'Before the start nothing changes; an active schedule ends at once and the earlier prices return.',
        refuses: [scheduleNotFound(shapes.EXAMPLE_SCHEDULE_ID)],
        params: shapes.ScheduleParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, actor } = tenantOf(request);
      const { id } = request.params;
      if (!isId(id)) throw scheduleNotFound(id);
      await inTransaction(sql, (tx) => cancelSchedule(tx, organizationId, id, actor, clock.now()));
      return reply.code(204).send(null);
    },
  );
}

function scheduleShape({ organization_id, starts_at, ends_at, created, ...row }: ListedSchedule) {
  return {
    ...row,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    created: created.toISOString(),
  };
}
