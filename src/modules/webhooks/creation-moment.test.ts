import { beforeAll, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { eventsOf } from '../events/index.ts';
import { newOrder, openWebhookService, POLL_OPTIONS, type WebhookService } from './testing/webhook-service.ts';

let stage: WebhookService;
beforeAll(async () => {
  stage = await openWebhookService();
});

const deliveredTo = async (subscriptionId: string) => {
  const { sql } = stage.service;
  const rows = await sql<{ event_id: string }[]>`
    select event_id from webhook_deliveries where subscription_id = ${subscriptionId} order by event_position`;
  const events = await sql<{ event_id: string; order_id: string }[]>`
    select event_id, order_id from ${eventsOf(sql, stage.organization.id)}`;
  const orders = new Map(events.map((event) => [event.event_id, event.order_id]));
  return rows.map((row) => orders.get(row.event_id));
};

const URL = 'https://not-yet-there.example.test/hook';

it('sends no event of a change written before the subscription, although it was stamped after', async () => {
  const { sql } = stage.service;
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const hold = inTransaction(sql, async (tx) => {
    const group = tx.layout.groupOf(stage.organization.id);
    await tx`select 1 from event_positions where tenant_group = ${group} for update`;
    holding.resolve();
    await release.promise;
  });
  await holding.promise;
  await stage.placeOrder();
  const { id } = await stage.subscribe(URL);
  const after = await stage.placeOrder();
  release.resolve();
  await hold;
  await expect.poll(() => deliveredTo(id), POLL_OPTIONS).toEqual([after]);
});

it('sends events of changes written after the subscription, whatever the clock of the writer says', async () => {
  stage.clock.advanceMs(3_600_000);
  const { id } = await stage.subscribe(URL);
  // As if another node, an hour behind, took the order.
  stage.clock.advanceMs(-3_600_000);
  const order = await stage.placeOrder();
  await expect.poll(() => deliveredTo(id), POLL_OPTIONS).toEqual([order]);
});

it('compares times for a subscription without a stored outbox id', async () => {
  const { id } = await stage.subscribe(URL);
  await stage.service.sql`update webhook_subscriptions set after_outbox_id = null where id = ${id}`;
  const order = await stage.placeOrder();
  await expect.poll(() => deliveredTo(id), POLL_OPTIONS).toEqual([order]);
});

it('sends the first order of a new database', async () => {
  const fresh = await openWebhookService();
  const { id } = await fresh.subscribe(URL);
  const { status } = await call(fresh.service.baseUrl, 'POST /orders', {
    token: fresh.organization.owner.token,
    body: newOrder,
  });
  expect(status).toBe(201);
  await expect.poll(async () => (await fresh.log(id)).length, POLL_OPTIONS).toBe(1);
});
