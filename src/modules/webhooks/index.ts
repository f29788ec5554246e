import { readFileSync } from 'node:fs';
import { ConfigError } from '../../platform/config.ts';
import type { App } from '../../platform/http/app.ts';
import { parseNetworks } from '../../platform/outbound/address-policy.ts';
import { createSender } from '../../platform/outbound/post.ts';
import { createHostResolver } from '../../platform/outbound/resolve-host.ts';
import type { Platform } from '../../platform/platform.ts';
import { createWakeUp, dropWeeksBefore, type Events, ensureWeeks, retentionCut } from '../events/index.ts';
import type { TrackedJobs } from '../jobs/index.ts';
import { createDeliveryEngine } from './delivery-engine.ts';
import { fanOut } from './fan-out.ts';
import { type RecoverInput, recoverDeliveries } from './recover-deliveries.ts';
import { RECOVER_JOB, webhookRoutes } from './routes.ts';
import { removeOrphans } from './sql/claims.ts';
import { readQueueFigures } from './sql/figures.ts';

const FAN_OUT_BATCH = 1_000;
const MAX_SOCKETS_PER_TARGET = 32;

export type Webhooks = {
  routes(app: App): void;
  /** In the worker role: makes deliveries of events, and sends them. */
  workers: { start(): Promise<void>; stop(): Promise<void> }[];
  /** In every process: lets routes wake the senders at once. */
  always: { start(): Promise<void>; stop(): Promise<void> }[];
  figures(): Promise<Record<string, unknown>>;
};

export function createWebhooks(platform: Platform, events: Events, trackedJobs: TrackedJobs): Webhooks {
  const { sql, clock, log, config, jobs } = platform;
  const allowed = readNetworks(config.webhookAllowedNetworks);
  const resolve = createHostResolver();
  const queue = createWakeUp(sql, log, 'webhook_queue');
  const sender = createSender({
    allowedNetworks: allowed,
    extraCa: readExtraCa(config.webhookCaFile),
    resolve,
    maxSocketsPerTarget: MAX_SOCKETS_PER_TARGET,
    now: clock.now,
  });
  const engine = createDeliveryEngine(platform, sender, queue);
  const retries = config.webhookRetryDelaysSeconds.length;
  const follower = events.follow({
    name: 'webhooks',
    batchSize: FAN_OUT_BATCH,
    withBodies: false,
    async handle(tx, batch) {
      const queued = await fanOut(tx, batch, clock.now(), retries);
      if (queued > 0) await tx`select pg_notify('webhook_queue', '')`;
    },
  });
  // Deliveries made by hand come from API processes, so the weeks must be there wherever one is made.
  const weeks = { start: () => ensureWeeks(sql, 'webhook_deliveries', clock.now()), stop: async () => undefined };

  trackedJobs.register<RecoverInput>(RECOVER_JOB, (input, context) =>
    recoverDeliveries(platform, queue, input, context),
  );
  jobs.every('webhook-housekeeping', '23 * * * *', async () => {
    const now = clock.now();
    await ensureWeeks(sql, 'webhook_deliveries', now);
    const dropped = await dropWeeksBefore(sql, 'webhook_deliveries', retentionCut(now));
    if (dropped.length > 0) log.info({ dropped }, 'old webhook deliveries dropped');
    await removeOrphans(sql);
  });

  return {
    routes: (app) => webhookRoutes(app, platform, { addresses: { allowed, resolve }, queue, trackedJobs }),
    always: [weeks, queue],
    workers: [follower, engine],
    figures: async () => ({ ...engine.counts(), ...(await readQueueFigures(sql, clock.now())) }),
  };
}

function readNetworks(cidrs: string) {
  try {
    return parseNetworks(cidrs);
  } catch (error) {
    throw new ConfigError(`WEBHOOK_ALLOWED_NETWORKS: ${error instanceof Error ? error.message : error}`);
  }
}

function readExtraCa(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`WEBHOOK_CA_FILE cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
