import { beforeAll, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { ADVISORY_LOCKS, inTransaction } from '../../platform/database/index.ts';
import { newOrder, openStage, PATIENCE, type Stage } from './testing/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});

const deliveredTo = async (subscriptionId: string) => {
  const { sql } = stage.service;
  const rows = await sql<{ order_id: string }[]>`
    select e.order_id from webhook_deliveries d
    join order_events e on e.organization_id = d.organization_id and e.position = d.event_position
    where d.subscription_id = ${subscriptionId} order by e.position`;
  return rows.map((row) => row.order_id);
};

const URL = 'https://not-yet-there.example.test/hook';

it('what was written before is not sent, though it got its place after', async () => {
  const { sql } = stage.service;
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const hold = inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${ADVISORY_LOCKS.publisher})`;
    holding.resolve();
    await release.promise;
  });
  await holding.promise;
  await stage.placeOrder();
  const { id } = await stage.subscribe(URL);
  const after = await stage.placeOrder();
  release.resolve();
  await hold;
  await expect.poll(() => deliveredTo(id), PATIENCE).toEqual([after]);
});

it('what is written after is sent, whatever the clock of its writer says', async () => {
  stage.clock.advanceMs(3_600_000);
  const { id } = await stage.subscribe(URL);
  // As if another node, an hour behind, took the order.
  stage.clock.advanceMs(-3_600_000);
  const order = await stage.placeOrder();
  await expect.poll(() => deliveredTo(id), PATIENCE).toEqual([order]);
});

it('a subscription made before this was kept goes on by its time', async () => {
  const { id } = await stage.subscribe(URL);
  await stage.service.sql`update webhook_subscriptions set after_outbox_id = null where id = ${id}`;
  const order = await stage.placeOrder();
  await expect.poll(() => deliveredTo(id), PATIENCE).toEqual([order]);
});

it('of a database that never had an order, the first one is sent', async () => {
  const fresh = await openStage();
  const { id } = await fresh.subscribe(URL);
  const { status } = await call(fresh.service.baseUrl, 'POST /orders', {
    token: fresh.organization.owner.token,
    body: newOrder,
  });
  expect(status).toBe(201);
  await expect.poll(async () => (await fresh.log(id)).length, PATIENCE).toBe(1);
});
