import { Type } from 'typebox';
import type { WakeUp } from '../../platform/background/index.ts';
import { inTransaction, type ReadyWeeks, retentionCut } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { offsetOf, readPaging } from '../../platform/http/paging.ts';
import { conflict, Problem, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordAudit } from '../audit/index.ts';
import { EVENT_TYPES } from '../events/index.ts';
import { type Action, tenant, tenantOf } from '../identity/index.ts';
import { QueuedAnswer, queuedAnswer, type TrackedJobs } from '../jobs/index.ts';
import { deliveryShape } from './delivery.ts';
import {
  type AddressRules,
  changeSubscription,
  checkEventTypes,
  createSubscription,
  deliveryNotFound,
  entryOf,
  findAddressFault,
  removeSubscription,
  rotateSecret,
  subscriptionNotFound,
} from './manage-subscriptions.ts';
import { readDelivery } from './read-delivery.ts';
import { askForRecovery, RECOVER_JOB } from './recover-deliveries.ts';
import * as shapes from './schema.ts';
import { queueTest, replayDelivery } from './send-by-hand.ts';
import { listDeliveries } from './sql/delivery-log.ts';
import { findSubscription, listSubscriptions } from './sql/subscriptions.ts';
import { MAX_SUBSCRIPTIONS, subscriptionShape } from './subscription.ts';

const tags = ['Webhooks'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const exampleId = '0193a1f0-7c00-7000-8000-000000000004';
const id = Type.String({ description: "The subscription's id", examples: [exampleId] });
const IdParams = Type.Object({ id });
const DeliveryParams = Type.Object({
  id,
  deliveryId: Type.String({
    description: "The delivery's id, as the log shows it",
    examples: ['0193a1f0-7c00-7000-8000-000000000005'],
  }),
});
const badUrl = unprocessable({ url: 'must start with https:// and a host' });
const badTypes = unprocessable({ event_types: 'unknown: order.craeted' });
const notFoundHere = subscriptionNotFound(exampleId);
const webhooks = (action: Action) => tenant(action, 'Webhooks', { branchConfined: 'refused' });

export function webhookRoutes(
  app: App,
  platform: Platform,
  tools: { addresses: AddressRules; queue: WakeUp; trackedJobs: TrackedJobs; weeks: ReadyWeeks; retries: number },
): void {
  const { sql, clock, box, writeOnce } = platform;
  const { addresses, queue, trackedJobs, weeks, retries } = tools;

  app.get(
    '/webhook-subscriptions',
    {
      config: { access: webhooks('read') },
      schema: {
        tags,
        operationId: 'listWebhookSubscriptions',
        summary: 'Subscriptions, and the event types a filter may name',
        description: 'All of them, without secrets.',
        response: { 200: shapes.SubscriptionList, ...refusals },
      },
    },
    async (request) => {
      const now = clock.now();
      const rows = await listSubscriptions(sql, tenantOf(request).organizationId);
      return {
        data: rows.map((row) => subscriptionShape(row, now)),
        count: rows.length,
        event_types: [...EVENT_TYPES],
      };
    },
  );

  app.post(
    '/webhook-subscriptions',
    {
      config: { access: webhooks('create') },
      schema: {
        tags,
        operationId: 'createWebhookSubscription',
        summary: 'Subscribe; the secret is in this answer only',
        description:
          'The address has to be https and public; a name that does not resolve yet is taken, and looked at again before every delivery. Hears of what is written from now on. At most 20 an organization.',
        takes: ['idempotency-key'],
        refuses: [badUrl, badTypes, conflict('Too many webhook subscriptions', { limit: MAX_SUBSCRIPTIONS })],
        body: shapes.NewSubscriptionBody,
        response: { 201: shapes.SubscriptionWithSecret, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const { url, description, event_types } = request.body;
      const eventTypes = checkEventTypes(event_types ?? []);
      const fault = await findAddressFault(addresses, url);
      return writeOnce(request, reply, scope, async (tx) => {
        if (fault !== undefined) throw fault;
        const now = clock.now();
        const input = { organizationId, url, description: description ?? '', eventTypes, now };
        const { subscription, secret } = await createSubscription(tx, box, input, actor);
        return { status: 201, body: { ...subscriptionShape(subscription, now), secret } };
      });
    },
  );

  app.get(
    '/webhook-subscriptions/:id',
    {
      config: { access: webhooks('read') },
      schema: {
        tags,
        operationId: 'getWebhookSubscription',
        summary: 'One subscription',
        description: 'With its health: last_success_at, last_failure_at, and why it was disabled.',
        refuses: [notFoundHere],
        params: IdParams,
        response: { 200: shapes.SubscriptionShape, ...refusals },
      },
    },
    async (request) => subscriptionShape(await getSubscription(keyOf(request)), clock.now()),
  );

  app.patch(
    '/webhook-subscriptions/:id',
    {
      config: { access: webhooks('update') },
      schema: {
        tags,
        operationId: 'changeWebhookSubscription',
        summary: 'Change address, description, filter or status',
        description:
          'What is absent stays. Paused holds events until it is active again; active ends disabled and begins its health afresh. What was skipped while disabled comes by the recover route.',
        refuses: [badUrl, badTypes, notFoundHere],
        params: IdParams,
        body: shapes.SubscriptionChange,
        response: { 200: shapes.SubscriptionShape, ...refusals },
      },
    },
    async (request) => {
      const { url, status } = request.body;
      const fault = url === undefined ? undefined : await findAddressFault(addresses, url);
      if (fault !== undefined) throw fault;
      const now = clock.now();
      const { actor } = tenantOf(request);
      const changed = await inTransaction(sql, (tx) =>
        changeSubscription(tx, keyOf(request), request.body, actor, now),
      );
      if (status === 'active') queue.ring();
      return subscriptionShape(changed, now);
    },
  );

  app.delete(
    '/webhook-subscriptions/:id',
    {
      config: { access: webhooks('delete') },
      schema: {
        tags,
        operationId: 'deleteWebhookSubscription',
        summary: 'Delete a subscription and its log',
        description: 'At once; a long log is cleared in the background.',
        refuses: [notFoundHere],
        params: IdParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { actor } = tenantOf(request);
      await inTransaction(sql, (tx) => removeSubscription(tx, keyOf(request), actor, clock.now()));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/webhook-subscriptions/:id/rotate-secret',
    {
      config: { access: webhooks('update') },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'A new secret; for a day deliveries carry both signatures',
        description: 'The new secret is in this answer only. A second rotation within the day ends the first secret.',
        takes: ['idempotency-key'],
        refuses: [notFoundHere],
        params: IdParams,
        response: { 200: shapes.SubscriptionWithSecret, ...refusals },
      },
    },
    (request, reply) => {
      const { scope, actor } = tenantOf(request);
      return writeOnce(request, reply, scope, async (tx) => {
        const now = clock.now();
        const { subscription, secret } = await rotateSecret(tx, box, keyOf(request), actor, now);
        return { status: 200, body: { ...subscriptionShape(subscription, now), secret } };
      });
    },
  );

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
        params: IdParams,
        response: { 202: shapes.DeliveryShape, ...refusals },
      },
    },
    async (request, reply) => {
      await weeks.ensure();
      const sent = await writeOnce(request, reply, tenantOf(request).scope, async (tx) => ({
        status: 202,
        body: deliveryShape(await queueTest(tx, clock, keyOf(request), retries)),
      }));
      queue.ring();
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
        params: IdParams,
        querystring: shapes.DeliveryQuery,
        response: { 200: shapes.DeliveryList, ...refusals },
      },
    },
    async (request) => {
      const key = keyOf(request);
      const subscription = await getSubscription(key);
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
        refuses: [notFoundHere, deliveryNotFound(exampleId)],
        params: DeliveryParams,
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
        refuses: [notFoundHere, deliveryNotFound(exampleId)],
        params: DeliveryParams,
        response: { 202: shapes.DeliveryShape, ...refusals },
      },
    },
    async (request, reply) => {
      const { deliveryId } = request.params;
      const sent = await writeOnce(request, reply, tenantOf(request).scope, async (tx) => ({
        status: 202,
        body: deliveryShape(await replayDelivery(tx, clock, keyOf(request), deliveryId, retries)),
      }));
      queue.ring();
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
          conflict('Webhook subscription is disabled', { id: exampleId }),
          new Problem(429, 'Too many queued jobs', { limit: 1_000, retry_after_seconds: 10 }, { 'retry-after': '10' }),
        ],
        params: IdParams,
        body: shapes.RecoverBody,
        response: { 202: QueuedAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, callerId, scope, actor } = tenantOf(request);
      return writeOnce(request, reply, scope, async (tx) => {
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

  async function getSubscription({ organizationId, id }: { organizationId: string; id: string }) {
    const row = isId(id) ? await findSubscription(sql, organizationId, id) : undefined;
    if (row === undefined) throw subscriptionNotFound(id);
    return row;
  }
}

function keyOf(request: Parameters<typeof tenantOf>[0]): { organizationId: string; id: string } {
  return { organizationId: tenantOf(request).organizationId, id: (request.params as { id: string }).id };
}
