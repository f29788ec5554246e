import { createNotifier } from '../../platform/background/index.ts';
import { createReadyWeeks, dropWeeksBefore, ensureWeeks, retentionCut } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { parseNetworks } from '../../platform/outbound/address-policy.ts';
import { readExtraCa } from '../../platform/outbound/extra-ca.ts';
import { createSender } from '../../platform/outbound/post.ts';
import { createHostResolver } from '../../platform/outbound/resolve-host.ts';
import { inBackground, type Platform } from '../../platform/platform.ts';
import type { Events } from '../events/index.ts';
import type { TrackedJobs } from '../jobs/index.ts';
import type { ClaimedDirectly } from './claim-directly.ts';
import { IN_FLIGHT_LIMITS, processShare } from './delivery.ts';
import { createDeliveryEngine } from './delivery-engine.ts';
import { DELIVERY_WEEKS } from './delivery-weeks.ts';
import { fanOut } from './fan-out.ts';
import { type LocalReceiver, withLocalReceiver } from './local-receiver.ts';
import { RECOVER_JOB, type RecoverInput, recoverDeliveries } from './recover-deliveries.ts';
import { createLogRemoval } from './remove-logs.ts';
import { webhookRoutes } from './routes.ts';
import type { WebhookSettings } from './settings.ts';
import { dropExpiredQueue } from './sql/deliveries.ts';
import { readQueueFigures } from './sql/figures.ts';
import { forgetOldSecrets } from './sql/subscriptions.ts';

export { type PastAttempts, recordPastDeliveries } from './delivery-history.ts';
export { pushedEvents } from './describe-pushes.ts';
export type { LocalReceiver } from './local-receiver.ts';
export { createSubscription } from './manage-subscriptions.ts';
export { readWebhookSettings, type WebhookSettings } from './settings.ts';
export { countDeliveriesByDay } from './sql/figures.ts';
export { findSealedSecrets, listSubscriptions } from './sql/subscriptions.ts';
export { listTroubledSubscriptions, type TroubledSubscription } from './sql/troubled.ts';

const FAN_OUT_BATCH = 500;
/** A delivery takes longer than this to most receivers; at 1,000 orders a second, batches have 15 events and not 4. */
const FAN_OUT_REST_MS = 15;

export type Webhooks = {
  routes(app: App): void;
  /** In the worker role: creates and sends deliveries. */
  workers: { start(): Promise<void>; stop(): Promise<void> }[];
  /** In every process: lets routes notify the delivery engine. */
  always: { start(): Promise<void>; stop(): Promise<void> }[];
  figures(): Promise<Record<string, unknown>>;
};

export function createWebhooks(
  platform: Platform,
  settings: WebhookSettings,
  events: Events,
  trackedJobs: TrackedJobs,
  localReceiver?: LocalReceiver,
): Webhooks {
  const background = inBackground(platform);
  const { sql, clock, log, jobs } = background;
  const allowed = parseNetworks(settings.allowedNetworks);
  const resolve = createHostResolver();
  const queue = createNotifier(sql, log, 'webhook_queue');
  const weeks = createReadyWeeks(sql, DELIVERY_WEEKS, clock.now);
  const networkSender = createSender({
    allowedNetworks: allowed,
    extraCa: readExtraCa(settings.caFile),
    resolve,
    // The in-flight limit of a subscription, so that no request waits for a connection while its deadline runs.
    maxSocketsPerTarget: Object.values(IN_FLIGHT_LIMITS.healthy).reduce((sum, limit) => sum + processShare(limit), 0),
    now: clock.now,
  });
  const sender = withLocalReceiver(networkSender, localReceiver, clock.now);
  const engine = createDeliveryEngine(background, settings, sender, queue, events.recent);
  const logRemoval = createLogRemoval(background);
  const retries = settings.retryDelaysSeconds.length;
  let claimed: ClaimedDirectly['sent'] = [];
  const follower = events.follow({
    name: 'webhooks',
    batchSize: FAN_OUT_BATCH,
    restMs: FAN_OUT_REST_MS,
    writesToGroup: false,
    prepare: weeks.ensure,
    async handle(tx, batch) {
      const now = clock.now();
      const { sent, queued } = await fanOut(tx, batch, now, retries, engine.directLimits(now));
      claimed = sent;
      if (queued > 0) await tx`select pg_notify('webhook_queue', '')`;
    },
    afterCommit() {
      engine.send(claimed);
      claimed = [];
    },
  });

  trackedJobs.register<RecoverInput>(
    RECOVER_JOB,
    (input, context) => recoverDeliveries(background, { queue, retries }, input, context),
    { resource: 'Webhooks' },
  );
  jobs.every('webhook-housekeeping', '23 * * * *', async () => {
    const now = clock.now();
    const cut = retentionCut(now);
    await ensureWeeks(sql, DELIVERY_WEEKS, now);
    const dropped = await dropWeeksBefore(sql, DELIVERY_WEEKS, cut);
    if (dropped.length > 0) log.info({ dropped }, 'old webhook deliveries dropped');
    await dropExpiredQueue(sql, cut);
    await forgetOldSecrets(sql, now);
  });

  return {
    routes: (app) =>
      webhookRoutes(app, platform, {
        addresses: { allowed, resolve },
        queue,
        trackedJobs,
        weeks,
        retries,
        logOpen: engine.logOpen,
      }),
    always: [{ start: weeks.ensure, stop: async () => undefined }, queue],
    // The follower stops before the engine, to which it hands deliveries.
    workers: [engine, follower, { start: async () => logRemoval.start(), stop: logRemoval.stop }],
    figures: async () => ({ ...engine.counts(), ...(await readQueueFigures(sql, clock.now())) }),
  };
}
