import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import type { AskForRefresh } from '../sensy/read-sensy.ts';
import { ForecastQuery } from '../sensy/schema.ts';
import { readConsumption } from './read-consumption.ts';
import { ConsumptionAnswer } from './schema.ts';

export function consumptionRoutes(app: App, { sql, clock }: Platform, askForRefresh: AskForRefresh): void {
  app.get(
    '/analytics/consumption',
    {
      config: { access: tenant('read', 'Analytics') },
      schema: {
        tags: ['Analytics'],
        operationId: 'readConsumption',
        summary: 'List use by SKU: per day, trend and projection',
        description:
          'The fastest first. A SKU is a product in a branch. The last day is yesterday. Computed in the background once a day and after uploads and changes; `stale` is true while a newer forecast is pending. An account confined to one branch sees that branch.',
        querystring: ForecastQuery,
        response: { 200: ConsumptionAnswer, '4xx': ProblemSchema, '5xx': ProblemSchema },
      },
    },
    (request) => readConsumption({ sql, clock, askForRefresh }, tenantOf(request), request.query),
  );
}
