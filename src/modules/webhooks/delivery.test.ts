import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedRequest, Receiver } from '../../platform/outbound/testing/receiver.ts';
import {
  type DeliveryBody,
  newOrder,
  openWebhookService,
  POLL_OPTIONS,
  type SubscriptionBody,
  type WebhookService,
} from './testing/webhook-service.ts';

let stage: WebhookService;

beforeAll(async () => {
  stage = await openWebhookService();
});

async function received(receiver: Receiver, count: number): Promise<ReceivedRequest[]> {
  await expect.poll(() => receiver.requests.length, POLL_OPTIONS).toBe(count);
  return receiver.requests;
}

function verify(request: ReceivedRequest | undefined, secret: string): Record<string, unknown> {
  if (request === undefined) throw new Error('nothing was received');
  return new Webhook(secret).verify(request.rawBody, request.headers as Record<string, string>) as Record<
    string,
    unknown
  >;
}

/** The bytes of each event as the feed shows them. */
async function feedBodies(): Promise<string[]> {
  const { text } = await stage.call('GET /orders/changes?limit=500');
  const inside = text.slice(text.indexOf('"events":[') + '"events":['.length, text.lastIndexOf('],"next_cursor"'));
  return inside === '' ? [] : inside.split(/(?<=\}),(?=\{"spec_version")/);
}

describe('a push', () => {
  it('is a signed POST with the headers of the contract, verified by an independent receiver on raw bytes', async () => {
    const receiver = await stage.receiver();
    const { id, secret } = await stage.subscribe(receiver);
    const orderId = await stage.placeOrder();
    const [request] = await received(receiver, 1);
    const event = verify(request, secret);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/in',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(stage.clock.now().getTime() / 1000)),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
        'x-svc-event-type': 'order.created',
        'x-svc-organization-id': stage.organization.id,
      },
    });
    expect(event).toMatchObject({
      spec_version: '2026-09-29',
      id: expect.stringMatching(/^evt_\d+_\d+$/),
      type: 'order.created',
      order_id: orderId,
      organization_id: stage.organization.id,
      change: 'created',
      order: { id: orderId, customer: { name: newOrder.customer_name } },
    });
    const [row] = await stage.logOf(id, ['delivered']);
    expect(row).toEqual({
      id: expect.any(String),
      subscription_id: id,
      event_id: event.id,
      event_type: 'order.created',
      status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      last_status_code: 200,
      last_error: '',
      created: stage.clock.now().toISOString(),
      delivered_at: stage.clock.now().toISOString(),
      attempt_log: [
        {
          at: stage.clock.now().toISOString(),
          status_code: 200,
          error: '',
          duration_ms: expect.any(Number),
          response_excerpt: 'ok',
        },
      ],
    });
    expect(await stage.find(id)).toMatchObject({
      last_success_at: stage.clock.now().toISOString(),
      last_failure_at: '',
    });
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('has the same bytes on push, retry, replay and in the feed, with a fresh timestamp and signature each time', async () => {
    const answers = [503, 200, 200];
    const receiver = await stage.receiver((_request, response) => {
      response.statusCode = answers.shift() ?? 500;
      response.end();
    });
    const { id, secret } = await stage.subscribe(receiver);
    await stage.placeOrder();
    await received(receiver, 1);
    await expect.poll(async () => (await stage.log(id))[0]?.attempts, POLL_OPTIONS).toBe(1);
    stage.clock.advanceMs(11_000);
    await received(receiver, 2);
    const [row] = await stage.logOf(id, ['delivered']);
    stage.clock.advanceMs(5000);
    const replay = await stage.call<DeliveryBody>(`POST /webhook-subscriptions/${id}/deliveries/${row?.id}/replay`);
    expect(replay.status).toBe(202);
    expect(replay.body).toMatchObject({ id: row?.id, event_id: row?.event_id, status: 'pending', attempts: 2 });
    const requests = await received(receiver, 3);
    for (const request of requests) verify(request, secret);
    const [first] = requests;
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([row?.event_id]));
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
    expect(new Set(requests.map(({ headers }) => headers['webhook-signature'])).size).toBe(3);
    for (const request of requests) expect(request.rawBody.equals(first?.rawBody ?? Buffer.alloc(0))).toBe(true);
    expect(await feedBodies()).toContain(first?.rawBody.toString('utf8'));
    const [after] = await stage.logOf(id, ['delivered']);
    expect(after?.attempts).toBe(3);
    expect(after?.attempt_log.map((attempt) => attempt.status_code)).toEqual([503, 200, 200]);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('reuses its connection', async () => {
    const receiver = await stage.receiver();
    const { id } = await stage.subscribe(receiver);
    for (let count = 1; count <= 5; count += 1) {
      await stage.placeOrder();
      await stage.logOf(id, Array(count).fill('delivered'));
    }
    expect(receiver.requests).toHaveLength(5);
    expect(receiver.connections()).toBe(1);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('matching of events', () => {
  it('sends only the types in the filter, and all types for an empty filter', async () => {
    const [all, some] = [await stage.receiver(), await stage.receiver()];
    const everything = await stage.subscribe(all);
    const filtered = await stage.subscribe(some, { event_types: ['order.cancelled', 'order.status_changed'] });
    const orderId = await stage.placeOrder();
    const patch = (order_status: string) => stage.call(`PATCH /orders/${orderId}/status`, { body: { order_status } });
    await patch('READY_FOR_PICKUP');
    await patch('CANCELLED');
    await received(all, 3);
    await received(some, 2);
    const types = (receiver: Receiver) => receiver.requests.map(({ headers }) => headers['x-svc-event-type']).sort();
    expect(types(all)).toEqual(['order.cancelled', 'order.created', 'order.status_changed']);
    expect(types(some)).toEqual(['order.cancelled', 'order.status_changed']);

    await stage.change(filtered.id, { event_types: ['order.created'] });
    await stage.placeOrder();
    await received(some, 3);
    expect(some.requests[2]?.headers['x-svc-event-type']).toBe('order.created');
    for (const { id } of [everything, filtered]) await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('sends only events since the subscription was created', async () => {
    await stage.placeOrder();
    stage.clock.advanceMs(1);
    const receiver = await stage.receiver();
    const { id } = await stage.subscribe(receiver);
    const orderId = await stage.placeOrder();
    const [row] = await stage.logOf(id, ['delivered']);
    expect(row?.event_type).toBe('order.created');
    expect(receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).order_id)).toEqual([orderId]);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('sends to every subscription of the tenant and to none of another tenant', async () => {
    const [one, two] = [await stage.receiver(), await stage.receiver()];
    const subscriptions = [await stage.subscribe(one), await stage.subscribe(two)];
    await stage.placeOrder();
    await received(one, 1);
    await received(two, 1);
    // Each has its own secret.
    for (const [index, receiver] of [one, two].entries()) {
      verify(receiver.requests[0], subscriptions[index]?.secret ?? '');
      expect(() => verify(receiver.requests[0], subscriptions[1 - index]?.secret ?? '')).toThrow('No matching');
    }
    for (const { id } of subscriptions) await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('a test event', () => {
  it('ignores the filter, is signed and has no order', async () => {
    const receiver = await stage.receiver();
    const { id, secret } = await stage.subscribe(receiver, { event_types: ['order.refunded'] });
    const reply = await stage.call<DeliveryBody>(`POST /webhook-subscriptions/${id}/test`);
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({
      subscription_id: id,
      event_type: 'webhook.test',
      event_id: expect.stringMatching(/^evt_\d+_\d+$/),
      status: 'pending',
      attempts: 0,
      next_attempt_at: stage.clock.now().toISOString(),
      delivered_at: null,
      last_status_code: null,
      last_error: '',
      attempt_log: [],
    });
    const [request] = await received(receiver, 1);
    const event = verify(request, secret);
    expect(Object.keys(event)).toEqual([
      'spec_version',
      'id',
      'type',
      'occurred_at',
      'organization_id',
      'cursor',
      'order_id',
      'change',
      'changed_fields',
      'status_from',
      'status_to',
      'payment_status_from',
      'payment_status_to',
    ]);
    expect(event).toMatchObject({
      id: reply.body.event_id,
      type: 'webhook.test',
      occurred_at: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
    const feed = await stage.call(`GET /orders/changes?cursor=${String(event.cursor)}`);
    expect([feed.status, feed.body.events]).toEqual([200, []]);
    await stage.logOf(id, ['delivered']);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('is retried when it fails', async () => {
    const receiver = await stage.receiver((_request, response) => response.writeHead(500).end('no'));
    const { id } = await stage.subscribe(receiver);
    await stage.call(`POST /webhook-subscriptions/${id}/test`);
    await expect
      .poll(async () => (await stage.log(id))[0], POLL_OPTIONS)
      .toMatchObject({
        status: 'pending',
        attempts: 1,
        last_status_code: 500,
        last_error: 'status 500',
      });
    stage.clock.advanceMs(11_000);
    await received(receiver, 2);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('is sent once when it is requested twice with one idempotency key', async () => {
    const receiver = await stage.receiver();
    const { id } = await stage.subscribe(receiver);
    const headers = { 'idempotency-key': `test-${id}` };
    const [first, second] = [
      await stage.call(`POST /webhook-subscriptions/${id}/test`, { headers }),
      await stage.call(`POST /webhook-subscriptions/${id}/test`, { headers }),
    ];
    expect(second.body).toEqual(first.body);
    await stage.logOf(id, ['delivered']);
    expect(receiver.requests).toHaveLength(1);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('rotation', () => {
  it('carries both signatures for a day, newest first, then one', async () => {
    const receiver = await stage.receiver();
    const before = await stage.subscribe(receiver);
    const after = (await stage.call<SubscriptionBody>(`POST /webhook-subscriptions/${before.id}/rotate-secret`)).body;
    await stage.call(`POST /webhook-subscriptions/${before.id}/test`);
    const [during] = await received(receiver, 1);
    const signatures = String(during?.headers['webhook-signature']).split(' ');
    expect(signatures).toHaveLength(2);
    verify(during, before.secret);
    verify(during, after.secret);
    expect(signatures[0]).toBe(signatureOf(during, after.secret));

    stage.clock.advanceMs(24 * 3_600_000);
    await stage.call(`POST /webhook-subscriptions/${before.id}/test`);
    const [, ended] = await received(receiver, 2);
    expect(ended?.headers['webhook-signature']).toBe(signatureOf(ended, after.secret));
    await stage.call(`DELETE /webhook-subscriptions/${before.id}`);
  });
});

/** By the independent implementation, whatever the time. */
function signatureOf(request: ReceivedRequest | undefined, secret: string): string {
  const { 'webhook-id': id, 'webhook-timestamp': seconds } = request?.headers ?? {};
  return new Webhook(secret).sign(String(id), new Date(Number(seconds) * 1000), request?.rawBody ?? '');
}
