import { beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { removeLeftovers } from './remove-logs.ts';
import { insertDeliveries } from './sql/deliveries.ts';
import { newDelivery } from './testing/delivery-tables.ts';
import { openWebhookService, type WebhookService } from './testing/webhook-service.ts';

const URL = 'https://not-yet-there.example.test/hook';
const LOG = 2_500;
let stage: WebhookService;

beforeAll(async () => {
  // Removing is done by hand here.
  stage = await openWebhookService({ settings: { DUKKAN_ROLES: 'api' } });
});

async function withLongLog(): Promise<string> {
  const { id } = await stage.subscribe(URL);
  const { sql } = stage.service;
  const now = stage.clock.now();
  await inTransaction(sql, (tx) =>
    insertDeliveries(
      tx,
      Array.from({ length: LOG }, () => newDelivery(stage.organization.id, id, now)),
    ),
  );
  return id;
}

async function leftOf(id: string) {
  const [left] = await stage.service.sql`
    select (select count(*) from webhook_deliveries where subscription_id = ${id}) as log,
           (select count(*) from webhook_queued_deliveries where subscription_id = ${id}) as queue,
           (select count(*) from webhook_subscription_queues where subscription_id = ${id}) as queues,
           (select count(*) from webhook_removals where subscription_id = ${id}) as removals`;
  return left;
}

describe('deleting a subscription with a long log', () => {
  it('deletes a part at once and hides the rest', async () => {
    const id = await withLongLog();
    const delivery = (await stage.log(id))[0]?.id ?? '';
    expect((await stage.call(`DELETE /webhook-subscriptions/${id}`)).status).toBe(204);
    expect(await leftOf(id)).toEqual({ log: LOG - 100, queue: LOG - 100, queues: 0, removals: 1 });
    const routes: [string, object?][] = [
      [`GET /webhook-subscriptions/${id}`],
      [`PATCH /webhook-subscriptions/${id}`, { description: 'x' }],
      [`DELETE /webhook-subscriptions/${id}`],
      [`POST /webhook-subscriptions/${id}/rotate-secret`],
      [`POST /webhook-subscriptions/${id}/test`],
      [`GET /webhook-subscriptions/${id}/deliveries`],
      [`POST /webhook-subscriptions/${id}/deliveries/${delivery}/replay`],
      [`POST /webhook-subscriptions/${id}/recover`, { since: stage.clock.now().toISOString() }],
    ];
    for (const [target, body] of routes) expect((await stage.call(target, { body })).status, target).toBe(404);
    const list = await stage.call<{ data: { id: string }[] }>('GET /webhook-subscriptions');
    expect(list.body.data.map((row) => row.id)).not.toContain(id);
  });

  it('removes the rest in the background, by several processes, and no other log', async () => {
    const [gone, kept] = [await withLongLog(), await withLongLog()];
    await stage.call(`DELETE /webhook-subscriptions/${gone}`);
    const { sql } = stage.service;
    while ((await Promise.all([removeLeftovers(sql), removeLeftovers(sql)])).some(Boolean)) {}
    expect(await leftOf(gone)).toEqual({ log: 0, queue: 0, queues: 0, removals: 0 });
    expect(await removeLeftovers(sql)).toBe(false);
    expect(await leftOf(kept)).toEqual({ log: LOG, queue: LOG, queues: 3, removals: 0 });
  });

  it('skips locked deliveries and removes them later', async () => {
    const id = await withLongLog();
    const { sql } = stage.service;
    const holding = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const hold = inTransaction(sql, async (tx) => {
      await tx`
        select 1 from webhook_deliveries
        where organization_id = ${stage.organization.id} and subscription_id = ${id} limit 1 for update`;
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
    while (await removeLeftovers(sql)) {}
    expect(await leftOf(id)).toMatchObject({ log: 1, queue: 0, removals: 1 });
    release.resolve();
    await hold;
    expect(await removeLeftovers(sql)).toBe(true);
    expect(await leftOf(id)).toEqual({ log: 0, queue: 0, queues: 0, removals: 0 });
  });

  it('records no removal for an unknown subscription', async () => {
    expect((await stage.call(`DELETE /webhook-subscriptions/${newId()}`)).status).toBe(404);
    expect(await removeLeftovers(stage.service.sql)).toBe(false);
  });
});
