import { setTimeout as delay } from 'node:timers/promises';
import { type Tx, withTenant } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { localDay } from '../../../platform/local-day.ts';
import { inBackground, type Platform } from '../../../platform/platform.ts';
import type { TrackedContext, TrackedJobs } from '../../jobs/index.ts';
import { consumptionRoutes } from '../consumption/routes.ts';
import { demandUploadRoutes } from '../demand-upload/routes.ts';
import { runUpload, UPLOAD_JOB, type UploadInput, type UploadResult } from '../demand-upload/run-upload.ts';
import { deleteUploadsBefore } from '../sql/demand-uploads.ts';
import {
  areFirstForecastsPending,
  findForecastState,
  listForecastedOrganizations,
  noteChange,
} from '../sql/forecast-states.ts';
import { createAskForRefresh, enqueueRefresh } from './ask-for-refresh.ts';
import { createForecastThread } from './forecast-thread.ts';
import { REFRESH_JOB, refreshForecasts } from './refresh-forecasts.ts';
import { sensyRoutes } from './routes.ts';

const UPLOADS_KEPT_MS = 24 * 3_600_000;
/** An upload's job waits this long for the refreshed forecasts; after that it ends with forecasts pending. */
const FORECASTS_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;
const REFRESHES_AT_ONCE = 2;
const UPLOADS_AT_ONCE = 2;

export type Sensy = ReturnType<typeof createSensy>;

/** Forecasts of every SKU: uploads of demand, the refresh job, and the routes that read them. */
export function createSensy(platform: Platform, trackedJobs: TrackedJobs) {
  const background = inBackground(platform);
  const { clock, jobs } = platform;
  const thread = createForecastThread();
  const refreshing = { sql: background.sql, clock, thread };
  const askForRefresh = createAskForRefresh(platform.sql, jobs);

  jobs.on<{ organizationId: string }>(
    REFRESH_JOB,
    ({ organizationId }, { signal }) =>
      withTenant(organizationId, async () => {
        const outcome = await refreshForecasts(refreshing, organizationId, signal);
        if (outcome === 'more') await enqueueRefresh(background.sql, jobs, organizationId);
      }),
    { concurrency: REFRESHES_AT_ONCE, concurrencyPerTenant: 1, retryDelaySeconds: 5 },
  );

  // Hourly, so that forecasts follow every organization's midnight soon, also when the machine was off at night.
  jobs.every('find-old-forecasts', '7 * * * *', async ({ signal }) => {
    await deleteUploadsBefore(background.sql, new Date(clock.now().getTime() - UPLOADS_KEPT_MS));
    for (const { id, time_zone, for_day, has_changes, has_moved_stock } of await listForecastedOrganizations(
      background.sql,
    )) {
      signal.throwIfAborted();
      const isOld = for_day !== localDay(clock.now(), time_zone);
      if (isOld || has_changes || has_moved_stock) await enqueueRefresh(background.sql, jobs, id);
    }
  });

  async function upload(input: UploadInput, context: TrackedContext): Promise<UploadResult & { forecasts: string }> {
    const result = await runUpload(background, input, context);
    await enqueueRefresh(background.sql, jobs, context.organizationId);
    return { ...result, forecasts: (await areRefreshed(context)) ? 'refreshed' : 'pending' };
  }

  async function areRefreshed({ organizationId, signal }: TrackedContext): Promise<boolean> {
    const endsAtMs = performance.now() + FORECASTS_WITHIN_MS;
    while (performance.now() < endsAtMs) {
      const state = await findForecastState(background.sql, organizationId);
      if (state === undefined || state.changes === state.known_changes) return true;
      await delay(LOOK_EVERY_MS, undefined, { signal });
    }
    return false;
  }
  trackedJobs.register<UploadInput>(UPLOAD_JOB, upload, { resource: 'Analytics', concurrency: UPLOADS_AT_ONCE });

  return {
    routes(app: App) {
      sensyRoutes(app, platform, askForRefresh);
      consumptionRoutes(app, platform, askForRefresh);
      demandUploadRoutes(app, platform, trackedJobs);
    },
    /** After a recount of the whole sales history, such as the demo's: refreshes forecasts now and not the next day. */
    async whenSalesRecounted(tx: Tx, organizationId: string) {
      await noteChange(tx, organizationId);
      await enqueueRefresh(tx, jobs, organizationId);
    },
    /** Whether some organization has sales and no forecasts yet. */
    isPending: () => areFirstForecastsPending(background.sql),
    /** Ends the thread that forecasts. */
    always: { start: async () => undefined, stop: () => thread.stop() },
  };
}
