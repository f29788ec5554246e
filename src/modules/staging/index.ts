import type { VendorClient } from '../../channels/contract.ts';
import { createNotifier } from '../../platform/background/index.ts';
import {
  createReadyWeeks,
  dropWeeksBefore,
  ensureWeeks,
  retentionCut,
  weekStart,
} from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { inBackground, type Platform } from '../../platform/platform.ts';
import type { CallLimits, Install, InstallListener } from '../apps/index.ts';
import type { Ordering } from '../orders/index.ts';
import { createCallEngine } from './call-engine.ts';
import type { PayloadReader } from './handle-payment-payload.ts';
import { createIngestLimits } from './ingest-limits.ts';
import { ingestRoutes } from './ingest-routes.ts';
import { createPollEngine } from './poll-vendors.ts';
import type { ProcessingContext } from './processing-context.ts';
import { createReceiver } from './receive-call.ts';
import { stagingRoutes } from './routes.ts';
import type { StagingSettings } from './settings.ts';
import { countBefore, dropPendingOf, dropQueuedBefore } from './sql/log.ts';
import { countCleanedUp, readQueueFigures, readTotals } from './sql/queue.ts';
import { dropExpiredReceipts } from './sql/receive.ts';
import { dropUsageBefore } from './sql/usage.ts';
import { createStagingEngine } from './staging-engine.ts';
import { STAGING_WEEKS } from './staging-weeks.ts';

export type { OtherOutcome, PayloadReader, PreparedPayload } from './handle-payment-payload.ts';
export { readStagingSettings, type StagingSettings } from './settings.ts';
export { countPayloadsByDay } from './sql/usage.ts';
export { type PastCall, prepareHistory, stageHistory } from './stage-history.ts';

const RECEIPTS_AT_ONCE = 5_000;

export type Staging = {
  routes(app: App): void;
  installs: InstallListener;
  workers: { start(): Promise<void>; stop(): Promise<void> }[];
  always: { start(): Promise<void>; stop(): Promise<void> }[];
  totals(): Promise<{ processed: number; failed: number; cleanedUp: number }>;
  figures(): Promise<Record<string, unknown>>;
};

export function createStaging(
  platform: Platform,
  settings: StagingSettings,
  parts: {
    ordering: Ordering;
    clientFor(install: Install, limits?: CallLimits): VendorClient;
    publicUrl: string | undefined;
    /** For apps whose payloads are not orders. */
    handlers: readonly PayloadReader[];
  },
): Staging {
  const background = inBackground(platform);
  const { sql, clock, log, jobs } = background;
  const queue = createNotifier(sql, log, 'staging_queue');
  const weeks = createReadyWeeks(sql, STAGING_WEEKS, clock.now);
  const limits = createIngestLimits(background, settings.ingest);
  const { ordering, clientFor } = parts;
  const retries = { delaysMs: settings.retryDelaysSeconds.map((seconds) => seconds * 1000) };
  const context: ProcessingContext = { sql, box: background.box, ordering, retries };
  const calls = createCallEngine(background, { context, clientFor, notifier: queue, handlers: parts.handlers });
  const engine = createStagingEngine(background, { context, notifier: queue, onCallsNeeded: calls.wake });
  const polls = createPollEngine(background, { clientFor, weeks, onStaged: queue.notify });

  jobs.every('poll-vendors', '*/5 * * * *', async () => polls.wake());
  jobs.every('staging-housekeeping', '41 * * * *', async () => {
    const now = clock.now();
    const cut = retentionCut(now);
    await ensureWeeks(sql, STAGING_WEEKS, now);
    const cleanedUp = await countBefore(sql, weekStart(cut));
    const dropped = await dropWeeksBefore(sql, STAGING_WEEKS, cut);
    if (dropped.length > 0) log.info({ dropped }, 'old payloads dropped');
    if (cleanedUp > 0) await countCleanedUp(sql, cleanedUp);
    await dropQueuedBefore(sql, cut);
    await dropUsageBefore(sql, cut);
    while ((await dropExpiredReceipts(sql, now, RECEIPTS_AT_ONCE)) === RECEIPTS_AT_ONCE) {}
  });

  return {
    routes(app) {
      const receiver = createReceiver(platform, { weeks, limits });
      ingestRoutes(app, platform, { receiver, publicUrl: parts.publicUrl, onReceived: queue.notify });
      stagingRoutes(app, platform, queue);
    },
    installs: {
      onInstalled: async () => undefined,
      onRemoved: (tx, install) => dropPendingOf(tx, install.organization_id, install.id),
    },
    workers: [engine, calls, polls].map(({ start, stop }) => ({ start: async () => start(), stop })),
    always: [{ start: weeks.ensure, stop: async () => undefined }, queue, limits],
    totals: () => readTotals(sql),
    figures: async () => ({ vendor_calls_in_flight: calls.inFlight(), ...(await readQueueFigures(sql, clock.now())) }),
  };
}
