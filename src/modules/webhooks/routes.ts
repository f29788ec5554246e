import { Type } from 'typebox';
import { inTransaction } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { conflict, unprocessable } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { EVENT_TYPES } from '../events/index.ts';
import { tenantOf } from '../identity/index.ts';
import { type DeliveryTools, deliveryRoutes } from './delivery-routes.ts';
import {
  type AddressRules,
  changeSubscription,
  checkEventTypes,
  createSubscription,
  findAddressFault,
  getSubscription,
  removeSubscription,
  rotateSecret,
  subscriptionNotFound,
} from './manage-subscriptions.ts';
import * as shapes from './schema.ts';
import { listSubscriptions } from './sql/subscriptions.ts';
import { MAX_SUBSCRIPTIONS, subscriptionShape } from './subscription.ts';
import { keyOf, webhooks } from './webhook-access.ts';

const tags = ['Webhooks'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const badUrl = unprocessable({ url: 'must start with https:// and a host' });
const badTypes = unprocessable({ event_types: 'unknown: order.craeted' });
const notFoundHere = subscriptionNotFound(shapes.exampleId);

export function webhookRoutes(app: App, platform: Platform, tools: DeliveryTools & { addresses: AddressRules }): void {
  const { sql, clock, box, idempotentWrite } = platform;
  const { addresses, queue } = tools;

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
      return idempotentWrite(request, reply, scope, async (tx) => {
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
        params: shapes.SubscriptionParams,
        response: { 200: shapes.SubscriptionShape, ...refusals },
      },
    },
    async (request) => subscriptionShape(await getSubscription(sql, keyOf(request)), clock.now()),
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
        params: shapes.SubscriptionParams,
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
      if (status === 'active') queue.notify();
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
        params: shapes.SubscriptionParams,
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
        params: shapes.SubscriptionParams,
        response: { 200: shapes.SubscriptionWithSecret, ...refusals },
      },
    },
    (request, reply) => {
      const { scope, actor } = tenantOf(request);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const now = clock.now();
        const { subscription, secret } = await rotateSecret(tx, box, keyOf(request), actor, now);
        return { status: 200, body: { ...subscriptionShape(subscription, now), secret } };
      });
    },
  );

  deliveryRoutes(app, platform, tools);
}
