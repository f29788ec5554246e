import type { Notifier } from '../../platform/background/index.ts';
import { type ReadyWeeks, retentionCut } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope } from '../../platform/http/envelopes.ts';
import { offsetOf, readPaging } from '../../platform/http/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordAudit } from '../audit/index.ts';
import { tenantOf } from '../identity/index.ts';
import { queuedAnswer, type TrackedJobs } from '../jobs/index.ts';
import { deliveryShape } from './delivery.ts';
import { entryOf, getSubscription } from './manage-subscriptions.ts';
import { readDelivery } from './read-delivery.ts';
import { checkRecoverable, RECOVER_JOB } from './recover-deliveries.ts';
import * as docs from './route-docs.ts';
import { queueTest, replayDelivery } from './send-manually.ts';
import { listDeliveries } from './sql/delivery-log.ts';
import { keyOf, webhooks } from './webhook-access.ts';

export type DeliveryTools = {
  queue: Notifier;
  trackedJobs: TrackedJobs;
  weeks: ReadyWeeks;
  retries: number;
  /** Deliveries of a tenant that this process is sending are logged before the log is read. */
  logOpen(organizationId: string): Promise<void>;
};

/** The deliveries of a subscription: log, tests, replays, recovery. */
export function deliveryRoutes(app: App, platform: Platform, tools: DeliveryTools): void {
  const { sql, clock, idempotentWrite } = platform;
  const { queue, trackedJobs, weeks, retries, logOpen } = tools;

  app.post(
    '/webhook-subscriptions/:id/test',
    {
      config: { access: webhooks('update') },
      schema: docs.testWebhookSubscription,
    },
    async (request, reply) => {
      await weeks.ensure();
      const sent = await idempotentWrite(request, reply, tenantOf(request).scope, async (tx) => ({
        status: 202,
        body: deliveryShape(await queueTest(tx, clock, keyOf(request), retries)),
      }));
      queue.notify();
      return sent;
    },
  );

  app.get(
    '/webhook-subscriptions/:id/deliveries',
    {
      config: { access: webhooks('read') },
      schema: docs.listWebhookDeliveries,
    },
    async (request) => {
      const key = keyOf(request);
      const subscription = await getSubscription(sql, key);
      const paging = readPaging(request.query);
      await logOpen(key.organizationId);
      const { rows, total } = await listDeliveries(sql, {
        organizationId: key.organizationId,
        subscriptionId: subscription.id,
        status: request.query.status,
        since: retentionCut(clock.now()),
        limit: paging.limit,
        offset: offsetOf(paging),
      });
      return listEnvelope(rows.map(deliveryShape), total, paging);
    },
  );

  app.get(
    '/webhook-subscriptions/:id/deliveries/:deliveryId',
    {
      config: { access: webhooks('read') },
      schema: docs.getWebhookDelivery,
    },
    async (request, reply) => {
      const text = await readDelivery(sql, clock, keyOf(request), request.params.deliveryId);
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((body) => body as string)
        .send(text as never);
    },
  );

  app.post(
    '/webhook-subscriptions/:id/deliveries/:deliveryId/replay',
    {
      config: { access: webhooks('update') },
      schema: docs.replayWebhookDelivery,
    },
    async (request, reply) => {
      const { deliveryId } = request.params;
      const sent = await idempotentWrite(request, reply, tenantOf(request).scope, async (tx) => ({
        status: 202,
        body: deliveryShape(await replayDelivery(tx, clock, keyOf(request), deliveryId, retries)),
      }));
      queue.notify();
      return sent;
    },
  );

  app.post(
    '/webhook-subscriptions/:id/recover',
    {
      config: { access: webhooks('update') },
      schema: docs.recoverWebhookDeliveries,
    },
    async (request, reply) => {
      const { organizationId, callerId, scope, actor } = tenantOf(request);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const now = clock.now();
        const subscriptionId = await checkRecoverable(tx, keyOf(request));
        const { id } = await trackedJobs.start(tx, {
          organizationId,
          type: RECOVER_JOB,
          input: { subscriptionId, since: request.body.since },
          createdBy: callerId,
          now,
        });
        await recordAudit(tx, organizationId, actor, [entryOf('recover', subscriptionId)], now);
        return { status: 202, body: queuedAnswer(clock, id) };
      });
    },
  );
}
