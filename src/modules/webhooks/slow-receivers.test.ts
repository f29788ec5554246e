import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { testOrganization } from '../../../test/harness/index.ts';
import { IN_FLIGHT_LIMITS, PRIORITY } from './delivery.ts';
import { actAs, newOrder, openWebhookService, POLL_OPTIONS, type WebhookService } from './testing/webhook-service.ts';

const LIMIT = IN_FLIGHT_LIMITS.healthy[PRIORITY.first];
let stage: WebhookService;

beforeAll(async () => {
  stage = await openWebhookService();
});

async function placeOrders(who: Pick<WebhookService, 'call'>, count: number): Promise<void> {
  const orders = Array.from({ length: count }, () => newOrder);
  expect((await who.call('POST /orders/bulk', { body: { mode: 'create', orders } })).status).toBe(200);
}

describe('a receiver that hangs', () => {
  it('uses its own in-flight slots only and delays neither its tenant nor another', async () => {
    const held: ServerResponse[] = [];
    const tarpit = await stage.receiver((_request, response) => held.push(response));
    const gone = await stage.receiver();
    await gone.close();
    const [near, far] = [await stage.receiver(), await stage.receiver()];
    const slow = await stage.subscribe(tarpit);
    const dead = await stage.subscribe(gone);
    const healthy = await stage.subscribe(near);
    const other = await actAs(stage.service, await testOrganization(stage.service.sql), stage.loopback);
    const foreign = await other.subscribe(far);

    await placeOrders(stage, 100);
    await placeOrders(other, 100);
    await expect.poll(() => near.requests.length, POLL_OPTIONS).toBe(100);
    await expect.poll(() => far.requests.length, POLL_OPTIONS).toBe(100);
    // Meanwhile the receiver that hangs is at its limit: another request begins only when one has timed out, which
    // takes ten seconds, so on most machines none has yet.
    const asked = held.length;
    expect(asked).toBeGreaterThan(0);
    expect(tarpit.openConnections()).toBeLessThanOrEqual(LIMIT);
    const ended = (await stage.log(slow.id, '?limit=100')).reduce((sum, row) => sum + row.attempts, 0);
    expect(asked).toBeLessThanOrEqual(LIMIT + ended);
    await stage.logOf(healthy.id, Array(20).fill('delivered'));
    expect((await stage.log(dead.id)).every((row) => row.status === 'pending')).toBe(true);

    // Once it fails it gets two at a time.
    await expect.poll(async () => (await stage.find(slow.id)).last_failure_at, POLL_OPTIONS).not.toBe('');
    await expect.poll(() => tarpit.openConnections(), POLL_OPTIONS).toBe(IN_FLIGHT_LIMITS.failing[PRIORITY.first]);
    await placeOrders(stage, 20);
    await expect.poll(() => near.requests.length, POLL_OPTIONS).toBe(120);
    expect(tarpit.openConnections()).toBeLessThanOrEqual(IN_FLIGHT_LIMITS.failing[PRIORITY.first]);

    for (const { id } of [slow, dead, healthy]) await stage.call(`DELETE /webhook-subscriptions/${id}`);
    await other.call(`DELETE /webhook-subscriptions/${foreign.id}`);
    for (const response of held) response.end();
  });
});

describe('retries', () => {
  it('of a receiver that recovered do not delay its new events', async () => {
    const held: ServerResponse[] = [];
    let mode: 'fail' | 'hold retries' = 'fail';
    const seen = new Set<string>();
    const receiver = await stage.receiver((request, response) => {
      const id = String(request.headers['webhook-id']);
      const isRetry = seen.has(id);
      seen.add(id);
      if (mode === 'fail') response.writeHead(500).end();
      else if (isRetry) held.push(response);
      else response.end();
    });
    const { id } = await stage.subscribe(receiver);
    await placeOrders(stage, 30);
    await expect
      .poll(async () => (await stage.log(id, '?limit=100')).filter((row) => row.attempts === 1).length, POLL_OPTIONS)
      .toBe(30);
    mode = 'hold retries';
    stage.clock.advanceMs(12_000);
    await expect.poll(() => held.length, POLL_OPTIONS).toBe(IN_FLIGHT_LIMITS.failing[PRIORITY.retry]);
    await placeOrders(stage, 40);
    await expect.poll(async () => (await stage.log(id, '?limit=100&status=delivered')).length, POLL_OPTIONS).toBe(40);
    expect(held.length).toBeLessThanOrEqual(IN_FLIGHT_LIMITS.healthy[PRIORITY.retry]);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
    for (const response of held) response.end();
  });
});
