import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { localDay } from '../../../platform/local-day.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { createResponseLimiter, sendPieces, whenAnswered } from '../../orders/index.ts';
import { DEMAND_COLUMNS } from '../demand-upload/demand-columns.ts';
import { readForecastSettings } from '../sql/forecast-settings.ts';
import { changeForecastSettings } from './change-forecast-settings.ts';
import { exportDemand, writeTemplate } from './export-demand.ts';
import { type AskForRefresh, readSensy } from './read-sensy.ts';
import * as shapes from './schema.ts';

const tags = ['Analytics'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
/** An export takes little memory and no connection while its client does not read, but it is long. */
const EXPORTS = { maxConcurrent: 64, maxConcurrentPerTenant: 4, maxQueuedPerTenant: 0, maxWaitMs: 0 };

const csv = (description: string) => ({
  description,
  content: {
    'text/csv': {
      schema: Type.String({ title: 'DemandCsv', examples: [`${DEMAND_COLUMNS.join(',')}\r\n`] }),
    },
  },
});

export function sensyRoutes(app: App, { sql, clock, log }: Platform, askForRefresh: AskForRefresh): void {
  const exports = createResponseLimiter(EXPORTS);

  app.get(
    '/analytics/sensy',
    {
      config: { access: tenant('read', 'Analytics') },
      schema: {
        tags,
        operationId: 'readSensy',
        summary: 'What each SKU will sell and when it runs out, those most at risk first',
        description:
          'SKUs that have ever sold or been uploaded. Made in the background once a day and after uploads and changes; `stale` says whether that is still to come. An account confined to one branch sees that branch.',
        querystring: shapes.ForecastQuery,
        response: { 200: shapes.SensyAnswer, ...refusals },
      },
    },
    (request) => readSensy({ sql, clock, askForRefresh }, tenantOf(request), request.query),
  );

  app.get(
    '/analytics/sensy/template',
    {
      config: { access: tenant('read', 'Analytics') },
      schema: {
        tags,
        operationId: 'readDemandTemplate',
        summary: 'An empty CSV file for past sales, to be filled in and uploaded',
        description: `The columns are ${DEMAND_COLUMNS.join(', ')}. sku_id is the SKU's iv_id.`,
        response: { 200: csv('The header'), ...refusals },
      },
    },
    (_request, reply) =>
      (reply as unknown as FastifyReply)
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="sensy-template.csv"')
        .send(writeTemplate()) as never,
  );

  app.get(
    '/analytics/sensy/export',
    {
      config: { access: tenant('export', 'Analytics') },
      schema: {
        tags,
        operationId: 'exportDemand',
        summary: 'Demand by SKU and day as CSV, with the stock as it is',
        description:
          "The template's columns, so that it can be uploaded again: what was uploaded, and the sales of all other days up to yesterday. Days without any are left out. Four at a time for an organization. Needs the export grant.",
        response: { 200: csv('The days, by SKU'), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, branchId, timeZone } = tenantOf(request);
      const answer = reply as unknown as FastifyReply;
      whenAnswered(answer, await exports.acquire(organizationId));
      const today = localDay(clock.now(), timeZone);
      answer
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="sensy-${today}.csv"`);
      return sendPieces(answer, exportDemand(sql, { organizationId, branchId }, { today }), log) as never;
    },
  );

  app.get(
    '/analytics/sensy/settings',
    {
      config: { access: tenant('read', 'Analytics') },
      schema: {
        tags,
        operationId: 'readForecastSettings',
        summary: 'What suggested orders go by',
        description: 'Of the whole organization. A threshold and buffer of its own, on the SKU, goes before these.',
        response: { 200: shapes.ForecastSettingsShape, ...refusals },
      },
    },
    (request) => readForecastSettings(sql, tenantOf(request).organizationId),
  );

  app.patch(
    '/analytics/sensy/settings',
    {
      config: { access: tenant('update', 'Analytics', { branchConfined: 'refused' }) },
      schema: {
        tags,
        operationId: 'changeForecastSettings',
        summary: 'Change what suggested orders go by',
        description: 'Absent fields keep their value. All forecasts are made anew soon after.',
        body: shapes.ForecastSettingsChange,
        response: { 200: shapes.ForecastSettingsAnswer, ...refusals },
      },
    },
    async (request) => {
      const author = tenantOf(request);
      const settings = await changeForecastSettings(sql, clock, author, request.body);
      await askForRefresh(author.organizationId);
      return mutationEnvelope(clock, 'Forecast settings updated', settings);
    },
  );
}
