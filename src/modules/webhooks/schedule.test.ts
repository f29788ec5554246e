import { describe, expect, it } from 'vitest';
import { oneSubscription } from './testing/one-subscription.ts';
import { POLL_OPTIONS } from './testing/webhook-service.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const { at, newest, receiver, replay, secondsUntil, stage } = await oneSubscription();

describe('retries', () => {
  it('follow after 10 s, 1 min, 5 min, 30 min, 2 h, 8 h and 24 h; the eighth failure is the last', async () => {
    at.answer = { status: 503 };
    await stage.placeOrder();
    for (const [index, delay] of [10, 60, 300, 1800, 7200, 28_800, 86_400].entries()) {
      const row = await newest({ status: 'pending', attempts: index + 1, last_status_code: 503 });
      const wait = secondsUntil(row.next_attempt_at);
      expect(wait).toBeGreaterThanOrEqual(delay);
      expect(wait).toBeLessThanOrEqual(delay * 1.1 + 0.001);
      stage.clock.advanceMs(wait * SECOND - 1);
      // Not a moment early: another delivery goes through the same engine meanwhile.
      await stage.call(`POST /webhook-subscriptions/${at.id}/test`);
      await expect.poll(() => receiver.requests.length, POLL_OPTIONS).toBe(2 * (index + 1));
      const test = (await stage.log(at.id)).find((other) => other.event_type === 'webhook.test');
      expect((await stage.log(at.id)).find((other) => other.id === row.id)?.attempts).toBe(index + 1);
      await stage.service.sql`delete from webhook_queued_deliveries where delivery_id = ${test?.id ?? null}`;
      await stage.service.sql`delete from webhook_deliveries where id = ${test?.id ?? null}`;
      stage.clock.advanceMs(1);
    }
    const dead = await newest({ status: 'dead', attempts: 8, next_attempt_at: null, last_status_code: 503 });
    expect(dead.attempt_log).toHaveLength(8);
    expect(dead.delivered_at).toBeNull();
    expect((await stage.log(at.id, '?status=dead')).map((row) => row.id)).toEqual([dead.id]);
    expect(await stage.log(at.id, '?status=pending')).toEqual([]);
  });

  it('end with the first success', async () => {
    at.answer = { status: 500 };
    await stage.placeOrder();
    await newest({ status: 'pending', attempts: 1 });
    at.answer = { status: 204 };
    stage.clock.advanceMs(11 * SECOND);
    const row = await newest({ status: 'delivered', attempts: 2, last_status_code: 204, last_error: '' });
    expect(row.delivered_at).toBe(stage.clock.now().toISOString());
    expect(row.attempt_log.map((attempt) => attempt.error)).toEqual(['status 500', '']);
  });

  it.each([
    ['longer', '600', 600],
    ['shorter', '1', 10],
    ['a day at most', '999999', 86_400],
  ])('are delayed by Retry-After and never advanced: %s', async (_what, asked, waited) => {
    at.answer = { status: 429, headers: { 'retry-after': asked } };
    await stage.placeOrder();
    const row = await newest({ attempts: 1, last_status_code: 429 });
    const wait = secondsUntil(row.next_attempt_at);
    expect(wait).toBeGreaterThanOrEqual(waited);
    expect(wait).toBeLessThanOrEqual(waited * 1.1 + 0.001);
  });
});

describe('pause', () => {
  it('holds new and waiting deliveries; resuming sends all of them', async () => {
    at.answer = { status: 500 };
    await stage.placeOrder();
    const waiting = await newest({ status: 'pending', attempts: 1 });
    at.answer = { status: 200 };
    await stage.change(at.id, { status: 'paused' });
    await stage.placeOrder();
    await stage.placeOrder();
    await stage.logOf(at.id, ['pending', 'pending', 'pending']);
    stage.clock.advanceMs(HOUR);

    // A delivery of another subscription shows that the engine has claimed since.
    const sibling = await stage.receiver();
    const other = await stage.subscribe(sibling);
    await stage.placeOrder();
    await stage.logOf(other.id, ['delivered']);
    expect(receiver.requests).toHaveLength(1);
    await stage.logOf(at.id, ['pending', 'pending', 'pending', 'pending']);

    await stage.change(at.id, { status: 'active' });
    const log = await stage.logOf(at.id, ['delivered', 'delivered', 'delivered', 'delivered']);
    expect(receiver.requests).toHaveLength(5);
    expect(log.find((row) => row.id === waiting.id)?.attempts).toBe(2);
  });

  it('does not hold manual deliveries', async () => {
    await stage.placeOrder();
    const delivered = await newest({ status: 'delivered' });
    await stage.change(at.id, { status: 'paused' });
    expect((await replay(delivered)).status).toBe(202);
    await newest({ status: 'delivered', attempts: 2 });
    await stage.call(`POST /webhook-subscriptions/${at.id}/test`);
    await stage.logOf(at.id, ['delivered', 'delivered']);
  });

  it('never disables a subscription', async () => {
    at.answer = { status: 500 };
    await stage.placeOrder();
    await newest({ status: 'pending', attempts: 1 });
    await stage.change(at.id, { status: 'paused' });
    stage.clock.advanceMs(5 * DAY);
    await stage.change(at.id, { status: 'active' });
    await newest({ status: 'pending', attempts: 2 });
    expect(await stage.find(at.id)).toMatchObject({ status: 'active' });
  });
});

describe('410', () => {
  it('disables at once; waiting and new deliveries are logged as skipped', async () => {
    await stage.change(at.id, { status: 'paused' });
    await stage.placeOrder();
    await stage.placeOrder();
    await stage.logOf(at.id, ['pending', 'pending']);
    at.answer = { status: 410 };
    await stage.change(at.id, { status: 'active' });
    const log = await stage.logOf(at.id, ['skipped', 'skipped']);
    expect(log.every((row) => row.next_attempt_at === null)).toBe(true);
    expect(log.map((row) => row.last_status_code)).toContain(410);
    expect(await stage.find(at.id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'The receiver answered 410 Gone',
    });
    const seen = receiver.requests.length;
    await stage.placeOrder();
    await stage.logOf(at.id, ['skipped', 'skipped', 'skipped']);
    expect(receiver.requests).toHaveLength(seen);
  });
});

describe('three days without success', () => {
  it('disable a subscription, counted from the first failure after the last success', async () => {
    await stage.placeOrder();
    await newest({ status: 'delivered' });
    stage.clock.advanceMs(10 * DAY);
    at.answer = { status: 500 };
    await stage.placeOrder();
    await newest({ status: 'pending', attempts: 1 });
    expect(await stage.find(at.id)).toMatchObject({ status: 'active' });

    stage.clock.advanceMs(3 * DAY - 1);
    await newest({ status: 'pending', attempts: 2 });
    expect(await stage.find(at.id)).toMatchObject({ status: 'active', disabled_reason: '' });

    await stage.placeOrder();
    await newest({ status: 'pending', attempts: 1 });
    stage.clock.advanceMs(11 * SECOND);
    await expect
      .poll(() => stage.find(at.id), POLL_OPTIONS)
      .toMatchObject({
        status: 'disabled',
        disabled_reason: 'No successful delivery for three days',
        last_failure_at: stage.clock.now().toISOString(),
      });
    await stage.logOf(at.id, ['skipped', 'skipped', 'delivered']);
  });

  it('are counted again after a success', async () => {
    at.answer = { status: 500 };
    await stage.placeOrder();
    await newest({ status: 'pending', attempts: 1 });
    stage.clock.advanceMs(2 * DAY);
    at.answer = { status: 200 };
    await newest({ status: 'delivered' });
    at.answer = { status: 500 };
    await stage.placeOrder();
    await newest({ status: 'pending', attempts: 1 });
    stage.clock.advanceMs(2 * DAY);
    await newest({ status: 'pending', attempts: 2 });
    expect(await stage.find(at.id)).toMatchObject({ status: 'active' });
  });

  it('do not include idle time', async () => {
    stage.clock.advanceMs(20 * DAY);
    await stage.placeOrder();
    await newest({ status: 'delivered' });
    stage.clock.advanceMs(20 * DAY);
    at.answer = { status: 500 };
    await stage.placeOrder();
    await newest({ status: 'pending', attempts: 1 });
    expect(await stage.find(at.id)).toMatchObject({ status: 'active' });
  });
});
