import { inTransaction } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { etagOf, versionCheck } from '../../platform/http/preconditions.ts';
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
} from './manage-subscriptions.ts';
import * as docs from './route-docs.ts';
import { listSubscriptions } from './sql/subscriptions.ts';
import { type Subscription, subscriptionShape } from './subscription.ts';
import { keyOf, webhooks, webhookTarget } from './webhook-access.ts';

export function webhookRoutes(app: App, platform: Platform, tools: DeliveryTools & { addresses: AddressRules }): void {
  const { sql, clock, box, idempotentWrite } = platform;
  const { addresses, queue } = tools;

  app.get(
    '/webhook-subscriptions',
    {
      config: { access: webhooks('read') },
      schema: docs.listWebhookSubscriptions,
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
      schema: docs.createWebhookSubscription,
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
      schema: docs.getWebhookSubscription,
    },
    async (request, reply) => {
      const subscription = await getSubscription(sql, keyOf(request));
      reply.header('etag', etagOf(subscription.updated));
      return subscriptionShape(subscription, clock.now());
    },
  );

  app.patch(
    '/webhook-subscriptions/:id',
    {
      config: { access: webhookTarget },
      schema: docs.changeWebhookSubscription,
    },
    async (request, reply) => {
      const { url, status } = request.body;
      const fault = url === undefined ? undefined : await findAddressFault(addresses, url);
      if (fault !== undefined) throw fault;
      const now = clock.now();
      const { actor } = tenantOf(request);
      const checkVersion = versionCheck(request.headers['if-match'], (row: Subscription) =>
        subscriptionShape(row, now),
      );
      const changed = await inTransaction(sql, (tx) =>
        changeSubscription(tx, keyOf(request), request.body, actor, now, checkVersion),
      );
      reply.header('etag', etagOf(changed.updated));
      if (status === 'active') queue.notify();
      return subscriptionShape(changed, now);
    },
  );

  app.delete(
    '/webhook-subscriptions/:id',
    {
      config: { access: webhooks('delete') },
      schema: docs.deleteWebhookSubscription,
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
      config: { access: webhookTarget },
      schema: docs.rotateWebhookSecret,
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
