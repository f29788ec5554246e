import { describe, expect, it } from 'vitest';
import { oneSubscription } from './testing/one-subscription.ts';
import { POLL_OPTIONS } from './testing/webhook-service.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const { at, newest, receiver, replay, secondsUntil, stage } = await oneSubscription();

async function recover(since: Date): Promise<{ status: string; result: unknown; error: unknown }> {
  const reply = await stage.call<{ data: { job_id: string; status_url: string } }>(
    `POST /webhook-subscriptions/${at.id}/recover`,
    { body: { since: since.toISOString() } },
  );
  expect(reply.status, reply.text).toBe(202);
  const job = () =>
    stage.call<{ status: string; result: unknown; error: unknown }>(`GET ${reply.body.data.status_url}`);
  await expect.poll(async () => (await job()).body.status, POLL_OPTIONS).toMatch(/succeeded|failed/);
  return (await job()).body;
}

/** Fails until three days have passed since the first failure. */
async function disableByFailing(): Promise<void> {
  at.answer = { status: 500 };
  await stage.placeOrder();
  await newest({ status: 'pending', attempts: 1 });
  stage.clock.advanceMs(3 * DAY);
  await expect.poll(async () => (await stage.find(at.id)).status, POLL_OPTIONS).toBe('disabled');
}

describe('a disabled subscription', () => {
  it('has its health reset when it is activated', async () => {
    await disableByFailing();
    expect(await stage.change(at.id, { status: 'active' })).toMatchObject({ status: 'active', disabled_reason: '' });
    await stage.placeOrder();
    await newest({ attempts: 1, status: 'pending' });
    stage.clock.advanceMs(DAY);
    await newest({ attempts: 2, status: 'pending' });
    expect(await stage.find(at.id)).toMatchObject({ status: 'active' });
    at.answer = { status: 200 };
    stage.clock.advanceMs(HOUR);
    await newest({ status: 'delivered' });
  });

  it('gets missed deliveries by a recovery, once', async () => {
    const since = stage.clock.now();
    await disableByFailing();
    await stage.placeOrder();
    await stage.placeOrder();
    await stage.logOf(at.id, ['skipped', 'skipped', 'skipped']);
    at.answer = { status: 200 };
    const seen = receiver.requests.length;

    const refused = await stage.call(`POST /webhook-subscriptions/${at.id}/recover`, { body: { since } });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ error: 'Webhook subscription is disabled', details: { id: at.id } });

    await stage.change(at.id, { status: 'active' });
    expect(await recover(since)).toMatchObject({ status: 'succeeded', result: { recovered: 3 } });
    await stage.logOf(at.id, ['delivered', 'delivered', 'delivered']);
    expect(receiver.requests).toHaveLength(seen + 3);
    expect(await recover(since)).toMatchObject({ status: 'succeeded', result: { recovered: 0 } });
    expect(receiver.requests).toHaveLength(seen + 3);
  });

  it('recovers only deliveries since the given time', async () => {
    await disableByFailing();
    stage.clock.advanceMs(HOUR);
    const since = stage.clock.now();
    await stage.placeOrder();
    await stage.logOf(at.id, ['skipped', 'skipped']);
    at.answer = { status: 200 };
    await stage.change(at.id, { status: 'active' });
    expect(await recover(since)).toMatchObject({ result: { recovered: 1 } });
    await stage.logOf(at.id, ['delivered', 'skipped']);
  });

  it('sends manual deliveries and stays disabled', async () => {
    await disableByFailing();
    const skipped = await newest({ status: 'skipped' });
    at.answer = { status: 200 };
    await replay(skipped);
    await newest({ status: 'delivered' });
    expect(await stage.find(at.id)).toMatchObject({ status: 'disabled' });
    at.answer = { status: 500 };
    await stage.call(`POST /webhook-subscriptions/${at.id}/test`);
    // Its retry would never be sent.
    await newest({ event_type: 'webhook.test', status: 'skipped', attempts: 1 });
  });
});

describe('replay', () => {
  it('sends a delivered delivery again', async () => {
    await stage.placeOrder();
    const row = await newest({ status: 'delivered' });
    stage.clock.advanceMs(DAY);
    expect((await replay(row)).body).toMatchObject({
      status: 'pending',
      next_attempt_at: stage.clock.now().toISOString(),
    });
    const again = await newest({ status: 'delivered', attempts: 2 });
    expect(again.delivered_at).toBe(stage.clock.now().toISOString());
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([row.event_id, row.event_id]);
  });

  it('makes one more attempt of a dead delivery, which is dead again if that fails', async () => {
    at.answer = { status: 500 };
    await stage.placeOrder();
    for (let attempts = 1; attempts <= 7; attempts += 1) {
      await newest({ status: 'pending', attempts });
      stage.clock.advanceMs(27 * HOUR);
      // Another receiver of the same tenant would not help: only its own success keeps it from being disabled.
      await stage.service.sql`update webhook_subscriptions set failing_since = null where id = ${at.id}`;
    }
    const row = await newest({ status: 'dead', attempts: 8 });
    await replay(row);
    await newest({ status: 'dead', attempts: 9 });
    at.answer = { status: 200 };
    await replay(row);
    await newest({ status: 'delivered', attempts: 10 });
  });

  it('sends a waiting delivery now and keeps its remaining retries', async () => {
    at.answer = { status: 500 };
    await stage.placeOrder();
    const row = await newest({ status: 'pending', attempts: 1 });
    stage.clock.advanceMs(SECOND);
    await replay(row);
    const after = await newest({ status: 'pending', attempts: 2 });
    expect(secondsUntil(after.next_attempt_at)).toBeGreaterThanOrEqual(60);
    expect(secondsUntil(after.next_attempt_at)).toBeLessThanOrEqual(66.1);
    at.answer = { status: 200 };
    stage.clock.advanceMs(67 * SECOND);
    await newest({ status: 'delivered', attempts: 3 });
    expect(receiver.requests).toHaveLength(3);
  });

  it('does not send a delivery in flight a second time', async () => {
    let release: (() => void) | undefined;
    const slow = await stage.receiver((_request, response) => {
      release = () => response.end();
    });
    at.id = (await stage.subscribe(slow)).id;
    await stage.placeOrder();
    await expect.poll(() => release, POLL_OPTIONS).toBeDefined();
    const [row] = await stage.log(at.id);
    if (row === undefined) throw new Error('the log is empty');
    expect((await replay(row)).status).toBe(202);
    await stage.call(`POST /webhook-subscriptions/${at.id}/test`);
    await expect.poll(() => slow.requests.length, POLL_OPTIONS).toBe(2);
    expect(slow.requests.map(({ headers }) => headers['x-svc-event-type'])).toEqual(['order.created', 'webhook.test']);
    release?.();
  });
});
