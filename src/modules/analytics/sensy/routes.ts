import type { FastifyReply } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { mutationEnvelope } from '../../../platform/http/envelopes.ts';
import { localDay } from '../../../platform/local-day.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { createCsvExports } from '../../orders/index.ts';
import { readForecastSettings } from '../sql/forecast-settings.ts';
import { changeForecastSettings } from './change-forecast-settings.ts';
import { exportDemand, writeTemplate } from './export-demand.ts';
import { type AskForRefresh, readSensy } from './read-sensy.ts';
import * as docs from './route-docs.ts';

export function sensyRoutes(app: App, { sql, clock, log }: Platform, askForRefresh: AskForRefresh): void {
  const exports = createCsvExports({ clock, log });

  app.get(
    '/analytics/sensy',
    { config: { access: tenant('read', 'Analytics') }, schema: docs.readSensyDoc },
    (request) => readSensy({ sql, clock, askForRefresh }, tenantOf(request), request.query),
  );

  app.get(
    '/analytics/sensy/template',
    { config: { access: tenant('read', 'Analytics') }, schema: docs.readDemandTemplateDoc },
    (_request, reply) =>
      (reply as unknown as FastifyReply)
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="sensy-template.csv"')
        .send(writeTemplate()) as never,
  );

  app.get(
    '/analytics/sensy/export',
    { config: { access: tenant('export', 'Analytics') }, schema: docs.exportDemandDoc },
    async (request, reply) => {
      const reader = tenantOf(request);
      const answer = reply as unknown as FastifyReply;
      const today = localDay(clock.now(), reader.timeZone);
      return exports.send(answer, reader, 'sensy', () => ({ csv: exportDemand(sql, reader, { today }) })) as never;
    },
  );

  app.get(
    '/analytics/sensy/settings',
    { config: { access: tenant('read', 'Analytics') }, schema: docs.readForecastSettingsDoc },
    (request) => readForecastSettings(sql, tenantOf(request).organizationId),
  );

  app.patch(
    '/analytics/sensy/settings',
    {
      config: { access: tenant('update', 'Analytics', { branchConfined: 'refused' }) },
      schema: docs.changeForecastSettingsDoc,
    },
    async (request) => {
      const author = tenantOf(request);
      const settings = await changeForecastSettings(sql, clock, author, request.body);
      await askForRefresh(author.organizationId);
      return mutationEnvelope(clock, 'Forecast settings updated', settings);
    },
  );
}
