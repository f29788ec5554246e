import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/database/index.ts';
import { claimDirectly, type Sendable } from './claim-directly.ts';
import { settleIn, settleOutcomes } from './settle-outcomes.ts';
import type { DirectClaim, LateClaim } from './sql/direct-claims.ts';
import { deleteSubscription } from './sql/subscriptions.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { type DeliveryTables, ended, newDelivery, openDeliveryTables, retryOf } from './testing/delivery-tables.ts';
import { newOrder, openWebhookService, POLL_OPTIONS } from './testing/webhook-service.ts';

let shop: DeliveryTables;
let organization: string;
let subscription: string;

beforeAll(async () => {
  shop = await openDeliveryTables();
});

beforeEach(async () => {
  await shop.sql`
    truncate webhook_subscription_queues, webhook_queued_deliveries, webhook_leases, webhook_direct_claims, webhook_deliveries`;
  const tenant = await shop.tenantWith(1);
  organization = tenant.organization;
  subscription = tenant.ids[0] ?? '';
});

const claimTwo = () => shop.claimDirectly(organization, [subscription, subscription]);
const rowsOf = async () => ({
  log: await shop.sql`select status, attempts, next_attempt_at, jsonb_array_length(attempt_log) as logged from webhook_deliveries`,
  queue: await shop.sql`select due_at, claim_id, priority, retries_left from webhook_queued_deliveries`,
  direct: await shop.sql`select unlogged from webhook_direct_claims`,
  leases: await shop.sql`select unsettled from webhook_leases`,
});
const logLate = (late: LateClaim[]) => inTransaction(shop.sql, (tx) => settleIn(tx, [], shop.now, late));
const inFlight = async () => (await shop.queues(subscription))[0]?.in_flight;

describe('a delivery claimed by the fan-out', () => {
  it('is written once when its receiver takes it', async () => {
    const claims = await claimTwo();
    const delivered = claims.map((claim) => ended(claim, shop.now));
    expect(await settleOutcomes(shop.sql, delivered, shop.now)).toMatchObject({ settled: 2 });
    const row = { status: 'delivered', attempts: 1, next_attempt_at: null, logged: 1 };
    expect(await rowsOf()).toEqual({ log: [row, row], queue: [], direct: [{ unlogged: 0 }], leases: [] });
    const [written] = await shop.sql`
      select last_status_code, last_error, attempt_log, delivered_at, created, event_position from webhook_deliveries limit 1`;
    expect(written).toEqual({
      last_status_code: 200,
      last_error: '',
      attempt_log: [delivered[0]?.attempt],
      delivered_at: shop.now,
      created: shop.now,
      event_position: 1,
    });
    expect(await inFlight()).toBe(0);
    // An answer of the database that was lost: the same outcomes again.
    expect(await settleOutcomes(shop.sql, delivered, shop.now)).toMatchObject({ settled: 0 });
    expect(await rowsOf()).toMatchObject({ log: [row, row], direct: [{ unlogged: 0 }] });
  });

  it('is queued for a retry when its receiver fails', async () => {
    const [claim] = (await claimTwo()) as [DirectClaim];
    expect(await settleOutcomes(shop.sql, [retryOf(claim, shop.now, 5000)], shop.now)).toMatchObject({ settled: 1 });
    const due = new Date(shop.now.getTime() + 5000);
    expect(await rowsOf()).toEqual({
      log: [{ status: 'pending', attempts: 1, next_attempt_at: due, logged: 1 }],
      queue: [{ due_at: due, claim_id: null, priority: 1, retries_left: 6 }],
      direct: [{ unlogged: 1 }],
      leases: [{ unsettled: 0 }],
    });
    expect(await inFlight()).toBe(0);
  });

  it('that takes long is logged as pending, and settled like any other', async () => {
    const [slow, waiting] = (await claimTwo()) as [DirectClaim, DirectClaim];
    const late = [
      { claim: slow, isWaiting: false },
      { claim: waiting, isWaiting: true },
    ];
    expect((await logLate(late)).logged).toEqual(new Set([slow.delivery_id, waiting.delivery_id]));
    const pending = { status: 'pending', attempts: 0, next_attempt_at: shop.now, logged: 0 };
    const { log, queue, direct, leases } = await rowsOf();
    expect([log, direct, leases]).toEqual([[pending, pending], [{ unlogged: 0 }], [{ unsettled: 1 }]]);
    expect(queue.map((row) => row.claim_id).toSorted()).toEqual([null, slow.claim_id].toSorted());
    expect(await shop.queues(subscription)).toMatchObject([{ in_flight: 1, due_at: shop.now }, {}, {}]);
    expect((await shop.claim()).map((claim) => claim.delivery_id)).toEqual([waiting.delivery_id]);
    const asLogged = { ...slow, unlogged: undefined };
    expect(await settleOutcomes(shop.sql, [ended(asLogged, shop.now)], shop.now)).toMatchObject({ settled: 1 });
    expect(await inFlight()).toBe(1);
  });

  it('of a lost process is dropped when its event is no longer kept, and its outcome comes too late', async () => {
    const claims = await claimTwo();
    const later = new Date(shop.now.getTime() + 30_001);
    expect(await sweepDeliveries(shop.sql, shop.now)).toMatchObject({ more: false });
    expect(await sweepDeliveries(shop.sql, later)).toMatchObject({ more: true });
    expect(await rowsOf()).toEqual({ log: [], queue: [], direct: [], leases: [] });
    const outcomes = claims.map((claim) => ended(claim, later));
    expect(await settleOutcomes(shop.sql, outcomes, later)).toMatchObject({ settled: 0 });
    expect((await logLate(claims.map((claim) => ({ claim, isWaiting: true })))).logged).toEqual(new Set());
    expect((await rowsOf()).log).toEqual([]);
  });

  it('leaves nothing when its subscription was deleted meanwhile', async () => {
    const [one, two] = (await claimTwo()) as [DirectClaim, DirectClaim];
    await inTransaction(shop.sql, (tx) => deleteSubscription(tx, organization, subscription));
    expect(await settleOutcomes(shop.sql, [ended(one, shop.now), retryOf(two, shop.now, 10)], shop.now)).toMatchObject({
      settled: 0,
    });
    expect(await rowsOf()).toMatchObject({ log: [], queue: [] });
  });
});

describe('what the fan-out claims', () => {
  const limits = (capacity: Partial<Parameters<typeof claimDirectly>[2]['capacity']> = {}) => ({
    claimId: '019a0000-0000-7000-8000-000000000000',
    now: shop.now,
    leaseUntil: new Date(shop.now.getTime() + 30_000),
    claimedAtMs: 0,
    capacity: { total: 100, bytes: 1000, ofSubscription: () => 100, ...capacity },
  });
  const sendable = (changes: Partial<Sendable> = {}): Sendable => ({
    delivery: { ...newDelivery(organization, subscription, shop.now), event_position: 1 },
    body: '{}',
    isIdle: true,
    ...changes,
  });
  const claimed = (deliveries: Sendable[], capacity?: Parameters<typeof limits>[0]) =>
    inTransaction(shop.sql, (tx) => claimDirectly(tx, deliveries, limits(capacity), 7));

  it.each([
    ['as many as there is capacity for', { total: 2 }, 2],
    ['as many bytes as there is capacity for', { bytes: 5 }, 2],
    ['as many of a subscription as there is capacity for', { ofSubscription: () => 1 }, 1],
  ])('are %s, the first ones', async (_title, capacity, count) => {
    const deliveries = [sendable(), sendable(), sendable()];
    const { sent, left } = await claimed(deliveries, capacity);
    const ids = deliveries.map(({ delivery }) => delivery.id);
    expect(sent.map(({ claim }) => claim.delivery_id)).toEqual(ids.slice(0, count));
    expect(left.map(({ id }) => id)).toEqual(ids.slice(count));
    expect((await rowsOf()).direct).toEqual([{ unlogged: count }]);
  });

  it('count Arabic by its bytes', async () => {
    const { sent } = await claimed([sendable({ body: '"عسل"' }), sendable({ body: '"عسل"' })], { bytes: 12 });
    expect(sent.map(({ body }) => body?.length)).toEqual([8]);
  });

  it('are none of a subscription of which others wait', async () => {
    const { sent, left } = await claimed([sendable({ isIdle: false })]);
    expect([sent.length, left.length, (await rowsOf()).direct]).toEqual([0, 1, []]);
  });
});

describe('in a running service', async () => {
  const stage = await openWebhookService();
  const sql = () => stage.service.sql;

  async function placeMany(count: number): Promise<void> {
    const reply = await stage.call('POST /orders/bulk', { body: Array.from({ length: count }, () => newOrder) });
    expect(reply.body.data).toMatchObject({ succeeded: count });
  }

  it('the log shows a delivery whose receiver hangs, and at once to a reader', async () => {
    const hanging: ServerResponse[] = [];
    const receiver = await stage.receiver((_request, response) => void hanging.push(response));
    const { id } = await stage.subscribe(receiver);
    await stage.placeOrder();
    await expect.poll(() => hanging.length, POLL_OPTIONS).toBe(1);
    expect(await stage.log(id)).toMatchObject([{ status: 'pending', attempts: 0, attempt_log: [] }]);
    await stage.placeOrder();
    const pending = () => sql()`
      select count(*) as pending from webhook_queued_deliveries where subscription_id = ${id} and claim_id is not null`;
    await expect.poll(pending, POLL_OPTIONS).toEqual([{ pending: 2 }]);
    await expect.poll(() => hanging.length, POLL_OPTIONS).toBe(2);
    for (const response of hanging) response.end();
    await stage.logOf(id, ['delivered', 'delivered']);
    expect(receiver.requests).toHaveLength(2);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('a burst for a slow receiver is sent once each, within its limit of requests', async () => {
    let open = 0;
    let most = 0;
    const receiver = await stage.receiver((_request, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end();
      }, 150);
    });
    const { id } = await stage.subscribe(receiver);
    for (let call = 0; call < 4; call += 1) await placeMany(100);
    await expect.poll(() => receiver.requests.length).toBe(400);
    const states = () => sql()`
      select status, attempts, count(*) as deliveries from webhook_deliveries where subscription_id = ${id} group by 1, 2`;
    await expect.poll(states, POLL_OPTIONS).toEqual([{ status: 'delivered', attempts: 1, deliveries: 400 }]);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(400);
    expect(most).toBeLessThanOrEqual(64);
    const left = () => sql()`
      select in_flight, due_at from webhook_subscription_queues where subscription_id = ${id} and priority = 0`;
    await expect.poll(left, POLL_OPTIONS).toEqual([{ in_flight: 0, due_at: null }]);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('a receiver that begins to fail gets no more than it has in flight', async () => {
    const hanging: ServerResponse[] = [];
    const receiver = await stage.receiver((_request, response) => void hanging.push(response));
    const { id } = await stage.subscribe(receiver);
    await placeMany(100);
    await placeMany(50);
    await expect.poll(() => hanging.length, POLL_OPTIONS).toBe(64);
    for (const response of hanging.splice(0)) response.writeHead(500).end();
    const attempts = () => sql()`
      select attempts, count(*) as deliveries from webhook_deliveries where subscription_id = ${id} group by 1 order by 1`;
    await expect.poll(attempts, POLL_OPTIONS).toEqual([
      { attempts: 0, deliveries: 86 },
      { attempts: 1, deliveries: 64 },
    ]);
    // Two at a time, until one succeeds.
    await expect.poll(() => hanging.length, POLL_OPTIONS).toBe(2);
    expect(receiver.requests).toHaveLength(66);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
    for (const response of hanging) response.end();
  });
});
