import type { FastifyReply } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant } from '../identity/index.ts';
import { createDashboardAnswers } from './dashboard-answers.ts';
import { dashboardViewerOf } from './dashboard-viewer.ts';
import { readRangeDays } from './range.ts';
import type { DashboardSources } from './read-dashboard.ts';
import * as shapes from './schema.ts';
import { parseSectionNames } from './sections/section-names.ts';

export function analyticsDashboardRoutes(app: App, { log }: Platform, sources: DashboardSources): void {
  const readAnswer = createDashboardAnswers(sources, log);

  app.get(
    '/analytics/dashboard',
    {
      config: { access: tenant('read', 'Analytics') },
      schema: {
        tags: ['Analytics'],
        operationId: 'readAnalyticsDashboard',
        summary: 'Read the dashboard: sales, stock and alerts in nine sections',
        description:
          "Figures follow the orders and are eventually consistent. Days are in the organization's time zone, amounts in its currency. A section that cannot be read is named in `errors` and does not fail the others; one that is empty is left out. An alert is shown to callers who may read what it is about: stock needs read on Products, cancellations on Orders, webhooks on Webhooks, connectors on Apps, fees on Settings; `activity` needs read on Orders. An account confined to one branch sees that branch, and no alerts of the organization's webhooks, apps and fees.",
        querystring: shapes.DashboardQuery,
        response: { 200: shapes.Dashboard, '4xx': ProblemSchema, '5xx': ProblemSchema },
      },
    },
    async (request, reply) => {
      const viewer = dashboardViewerOf(request);
      const rangeDays = readRangeDays(request.query.range);
      const sections = parseSectionNames(request.query.section);
      const json = await readAnswer(viewer, rangeDays, sections);
      return (reply as unknown as FastifyReply)
        .header('content-type', 'application/json; charset=utf-8')
        .send(json) as never;
    },
  );
}
