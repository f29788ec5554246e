import type { Notifier } from '../../platform/background/index.ts';
import { type ReadyWeeks, retentionCut } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { offsetOf, readPaging } from '../../platform/http/paging.ts';
import { conflict, Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordAudit } from '../audit/index.ts';
import { tenantOf } from '../identity/index.ts';
import { QueuedAnswer, queuedAnswer, type TrackedJobs } from '../jobs/index.ts';
import { deliveryShape } from './delivery.ts';

import { deliveryNotFound, entryOf, getSubscription, subscriptionNotFound } from './manage-subscriptions.ts';
import { readDelivery } from './read-delivery.ts';
import { askForRecovery, RECOVER_JOB } from './recover-deliveries.ts';
import * as shapes from './schema.ts';
import { queueTest, replayDelivery } from './send-by-hand.ts';
import { listDeliveries } from './sql/delivery-log.ts';
import { keyOf, webhooks } from './webhook-access.ts';

const tags = ['Webhooks'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const notFoundHere = subscriptionNotFound(shapes.exampleId);

export type DeliveryTools = { queue: Notifier; trackedJobs: TrackedJobs; weeks: ReadyWeeks; retries: number };

/** What was sent to a subscription, and what is sent to it by hand. */
export function deliveryRoutes(app: App, platform: Platform, tools: DeliveryTools): void {
  const { sql, clock, idempotentWrite } = platform;
  const { queue, trackedJobs, weeks, retries } = tools;

  app.post(
    '/webhook-subscriptions/:id/test',
    {
      config: { access: webhooks('update') },
      schema: {
        tags,
        operationId: 'testWebhookSubscription',
        summary: 'Queue one webhook.test event',
        description: 'Goes out whatever the filter and the status are, signed and retried like a real one.',
        takes: ['idempotency-key'],
        refuses: [notFoundHere],
        params: shapes.SubscriptionParams,
        response: { 202: shapes.DeliveryShape, ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'The delivery log, newest first',
        description: 'Of the last 30 days, each with every attempt and the beginning of what the receiver answered.',
        refuses: [notFoundHere],
        params: shapes.SubscriptionParams,
        querystring: shapes.DeliveryQuery,
        response: { 200: shapes.DeliveryList, ...refusals },
      },
    },
    async (request) => {
      const key = keyOf(request);
      const subscription = await getSubscription(sql, key);
      const paging = readPaging(request.query);
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
      schema: {
        tags,
        operationId: 'getWebhookDelivery',
        summary: 'One delivery, with what its receiver gets or got',
        description:
          'The row of the log, the headers that every attempt carries, and the body as it was or will be sent. ' +
          '`payload` is null when the event itself is no longer kept. Neither secret nor signature is shown.',
        refuses: [notFoundHere, deliveryNotFound(shapes.exampleId)],
        params: shapes.DeliveryParams,
        response: { 200: shapes.DeliveryWithPayload, ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'replayWebhookDelivery',
        summary: 'Send a delivery again now, under the same id',
        description: 'One more attempt at once, whatever its status; same webhook-id, fresh timestamp and signature.',
        takes: ['idempotency-key'],
        refuses: [notFoundHere, deliveryNotFound(shapes.exampleId)],
        params: shapes.DeliveryParams,
        response: { 202: shapes.DeliveryShape, ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'recoverWebhookDeliveries',
        summary: 'Send again what was skipped or given up since a time, as a job',
        description:
          'Oldest first; at most the 30 days that are kept. A disabled subscription has to be made active first.',
        takes: ['idempotency-key'],
        refuses: [
          notFoundHere,
          conflict('Webhook subscription is disabled', { id: shapes.exampleId }),
          new Problem(429, 'Too many queued jobs', { limit: 1_000, retry_after_seconds: 10 }, { 'retry-after': '10' }),
        ],
        params: shapes.SubscriptionParams,
        body: shapes.RecoverBody,
        response: { 202: QueuedAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, callerId, scope, actor } = tenantOf(request);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const now = clock.now();
        const subscriptionId = await askForRecovery(tx, keyOf(request));
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
