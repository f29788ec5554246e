import { beforeAll, describe, expect, it } from 'vitest';
import { call, testOrganization, testService } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { openWebhookService, type SubscriptionBody, type WebhookService } from './testing/webhook-service.ts';

const URL = 'https://hooks.example.com/orders?shop=1';
let stage: WebhookService;

beforeAll(async () => {
  // Nothing is to be sent here.
  stage = await openWebhookService({ settings: { DUKKAN_ROLES: 'api' } });
});

/** A tenant of its own, for what counts a tenant's subscriptions. */
async function freshTenant() {
  const organization = await testOrganization(stage.service.sql);
  return { organization, token: organization.owner.token };
}

describe('201', () => {
  it('gives back the subscription with its secret, in every field', async () => {
    const reply = await stage.call<SubscriptionBody>('POST /webhook-subscriptions', {
      body: { url: URL, description: 'نظام المخزون', event_types: ['order.updated', 'order.created', 'order.updated'] },
    });
    expect(reply.status).toBe(201);
    const now = stage.clock.now().toISOString();
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_id: stage.organization.id,
      url: URL,
      description: 'نظام المخزون',
      event_types: ['order.created', 'order.updated'],
      status: 'active',
      disabled_reason: '',
      secret_hint: reply.body.secret.slice(-4),
      rotating: false,
      created: now,
      updated: now,
      last_success_at: '',
      last_failure_at: '',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{40}$/),
    });
  });

  it.each([{}, { event_types: [] }, { event_types: null, description: null }])(
    'accepts the minimum: %j',
    async (body) => {
      expect(await stage.subscribe(URL, body)).toMatchObject({ event_types: [], description: '' });
    },
  );

  it('accepts a name that does not resolve yet', async () => {
    const url = 'https://not-yet-there.example.test/hook';
    expect(await stage.subscribe(url)).toMatchObject({ url, status: 'active' });
  });

  it('makes one subscription of a repeated request, with the same secret', async () => {
    const { organization, token } = await freshTenant();
    const headers = { 'idempotency-key': newId() };
    const send = () =>
      call<SubscriptionBody>(stage.service.baseUrl, 'POST /webhook-subscriptions', {
        token,
        headers,
        body: { url: URL },
      });
    const [first, second] = [await send(), await send()];
    expect(second.headers.get('idempotency-hit')).toBe('true');
    expect(second.body).toEqual(first.body);
    const rows = await stage.service.sql`
      select 1 from webhook_subscriptions where organization_id = ${organization.id}`;
    expect(rows).toHaveLength(1);
  });

  it('returns the stored response of a repeat, also when the address would be refused by now', async () => {
    const { databaseUrl, sql } = stage.service;
    // The same tenants, and no network is exempt any more.
    const closed = await testService({ DUKKAN_ROLES: 'api' }, { database: { url: databaseUrl, sql } });
    const { token } = await freshTenant();
    const headers = { 'idempotency-key': newId() };
    const body = { url: 'https://127.0.0.1:9443/in' };
    const first = await stage.call<SubscriptionBody>('POST /webhook-subscriptions', { token, headers, body });
    expect(first.status).toBe(201);
    const again = await call(closed.baseUrl, 'POST /webhook-subscriptions', { token, headers, body });
    expect([again.status, again.headers.get('idempotency-hit')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    const other = { 'idempotency-key': newId() };
    const refused = await call(closed.baseUrl, 'POST /webhook-subscriptions', { token, headers: other, body });
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([422, ['url']]);
  });
});

describe('200', () => {
  it('lists without secrets, newest first, with the types a filter may name', async () => {
    const { token } = await freshTenant();
    const made: string[] = [];
    for (const description of ['one', 'two']) {
      const body = { url: URL, description };
      const reply = await stage.call<SubscriptionBody>('POST /webhook-subscriptions', { token, body });
      made.unshift(reply.body.id);
      stage.clock.advanceMs(1);
    }
    const list = await stage.call<{ data: SubscriptionBody[] }>('GET /webhook-subscriptions', { token });
    expect(list.status).toBe(200);
    expect(Object.keys(list.body)).toEqual(['data', 'count', 'event_types']);
    expect(list.body).toMatchObject({
      count: 2,
      event_types: [
        'order.cancelled',
        'order.created',
        'order.deleted',
        'order.departed',
        'order.invoiced',
        'order.refunded',
        'order.status_changed',
        'order.updated',
      ],
    });
    expect(list.body.data.map((row) => row.id)).toEqual(made);
    expect(list.text).not.toContain('whsec_');
    expect(list.body.data.every((row) => !('secret' in row))).toBe(true);
  });

  it('shows one without its secret', async () => {
    const { secret, ...rest } = await stage.subscribe(URL);
    const reply = await stage.call(`GET /webhook-subscriptions/${rest.id}`);
    expect(reply.body).toEqual(rest);
    expect(reply.text).not.toContain(secret.slice(6));
  });

  it('changes the given fields and leaves the rest', async () => {
    const { id } = await stage.subscribe(URL, { description: 'before', event_types: ['order.created'] });
    stage.clock.advanceMs(1000);
    const changed = await stage.change(id, { description: 'after' });
    expect(changed).toMatchObject({ url: URL, description: 'after', event_types: ['order.created'], status: 'active' });
    expect(changed.updated).toBe(stage.clock.now().toISOString());
    expect(changed).not.toHaveProperty('secret');

    const url = 'https://elsewhere.example.com/';
    expect(await stage.change(id, { url, event_types: ['order.refunded', 'order.cancelled'] })).toMatchObject({
      url,
      event_types: ['order.cancelled', 'order.refunded'],
      description: 'after',
    });
    expect(await stage.change(id, { event_types: [] })).toMatchObject({ event_types: [] });
    expect(await stage.find(id)).toMatchObject({ url, description: 'after', event_types: [] });
  });

  it('pauses and resumes', async () => {
    const { id } = await stage.subscribe(URL);
    expect(await stage.change(id, { status: 'paused' })).toMatchObject({ status: 'paused', disabled_reason: '' });
    expect(await stage.change(id, {})).toMatchObject({ status: 'paused' });
    expect(await stage.change(id, { status: 'active' })).toMatchObject({ status: 'active' });
  });

  it('returns a new secret once, and reports the rotation for a day', async () => {
    const before = await stage.subscribe(URL);
    const reply = await stage.call<SubscriptionBody>(`POST /webhook-subscriptions/${before.id}/rotate-secret`);
    expect(reply.status).toBe(200);
    expect(reply.body.secret).toMatch(/^whsec_/);
    expect(reply.body.secret).not.toBe(before.secret);
    expect(reply.body).toMatchObject({ rotating: true, secret_hint: reply.body.secret.slice(-4) });
    expect(await stage.find(before.id)).not.toHaveProperty('secret');

    stage.clock.advanceMs(24 * 3_600_000 - 1);
    expect(await stage.find(before.id)).toMatchObject({ rotating: true });
    stage.clock.advanceMs(1);
    expect(await stage.find(before.id)).toMatchObject({ rotating: false });
  });
});

describe('at rest', () => {
  it('stores no secret in plain text, neither in tables nor in stored responses', async () => {
    const headers = { 'idempotency-key': newId() };
    const made = await stage.call<SubscriptionBody>('POST /webhook-subscriptions', { headers, body: { url: URL } });
    const rotated = await stage.call<SubscriptionBody>(`POST /webhook-subscriptions/${made.body.id}/rotate-secret`);
    const [row] = await stage.service.sql<[{ row: string; kept: string }]>`
      select (select string_agg(encode(secret, 'escape') || encode(previous_secret, 'escape'), '')
              from webhook_subscriptions where id = ${made.body.id}) as row,
             (select string_agg(encode(answer, 'escape'), '') from idempotency_keys) as kept`;
    for (const { secret } of [made.body, rotated.body]) {
      expect(row.row + row.kept).not.toContain(secret.slice('whsec_'.length));
    }
  });
});

describe('204', () => {
  it('deletes the subscription and all that belongs to it', async () => {
    const { id } = await stage.subscribe(URL);
    const { status } = await stage.call(`POST /webhook-subscriptions/${id}/test`);
    expect(status).toBe(202);
    const reply = await stage.call(`DELETE /webhook-subscriptions/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    const [left] = await stage.service.sql`
      select (select count(*) from webhook_deliveries where subscription_id = ${id}) as log,
             (select count(*) from webhook_queued_deliveries where subscription_id = ${id}) as queue,
             (select count(*) from webhook_subscription_queues where subscription_id = ${id}) as queues`;
    expect(left).toEqual({ log: 0, queue: 0, queues: 0 });
    expect((await stage.call(`GET /webhook-subscriptions/${id}/deliveries`)).status).toBe(404);
  });
});
