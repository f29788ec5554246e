import { beforeAll, describe, expect, it } from 'vitest';
import { call, testAccount, testOrganization } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { openStage, type Stage, type SubscriptionBody } from './testing/stage.ts';

const URL = 'https://hooks.example.com/orders?shop=1';
let stage: Stage;

beforeAll(async () => {
  // Nothing is to be sent here.
  stage = await openStage({ settings: { DUKKAN_ROLES: 'api' } });
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

  it.each([{}, { event_types: [] }, { event_types: null, description: null }])('takes the least: %j', async (body) => {
    expect(await stage.subscribe(URL, body)).toMatchObject({ event_types: [], description: '' });
  });

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

  it('changes what it is told and leaves the rest', async () => {
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

  it('gives out a new secret once, and says for a day that it rotates', async () => {
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
  it('no secret can be read in the database, nor in kept answers', async () => {
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
             (select count(*) from webhook_queue where subscription_id = ${id}) as queue,
             (select count(*) from webhook_lanes where subscription_id = ${id}) as lanes`;
    expect(left).toEqual({ log: 0, queue: 0, lanes: 0 });
    expect((await stage.call(`GET /webhook-subscriptions/${id}/deliveries`)).status).toBe(404);
  });
});

const of = (id: string) =>
  [
    ['GET', `/webhook-subscriptions/${id}`, undefined],
    ['PATCH', `/webhook-subscriptions/${id}`, { status: 'paused' }],
    ['DELETE', `/webhook-subscriptions/${id}`, undefined],
    ['POST', `/webhook-subscriptions/${id}/rotate-secret`, undefined],
    ['POST', `/webhook-subscriptions/${id}/test`, undefined],
    ['GET', `/webhook-subscriptions/${id}/deliveries`, undefined],
    ['POST', `/webhook-subscriptions/${id}/deliveries/${newId()}/replay`, undefined],
    ['POST', `/webhook-subscriptions/${id}/recover`, { since: '2026-11-01T00:00:00Z' }],
  ] as const;
const collection = [
  ['GET', '/webhook-subscriptions', undefined],
  ['POST', '/webhook-subscriptions', { url: URL }],
] as const;

describe('403', () => {
  it('a viewer reads and changes nothing', async () => {
    const viewer = await testAccount(stage.service.sql, stage.organization.id, 'viewer');
    const { id } = await stage.subscribe(URL);
    for (const [method, path, body] of [...collection, ...of(id)]) {
      const reply = await stage.call(`${method} ${path}`, { token: viewer.token, body });
      expect(reply.status, `${method} ${path}`).toBe(method === 'GET' ? 200 : 403);
    }
    expect(await stage.find(id)).toMatchObject({ status: 'active', rotating: false });
  });

  it('an account confined to a branch is refused everywhere, an owner of it too', async () => {
    const { id } = await stage.subscribe(URL);
    for (const role of ['owner', 'member', 'viewer'] as const) {
      const confined = await testAccount(stage.service.sql, stage.organization.id, role, { branchId: newId() });
      for (const [method, path, body] of [...collection, ...of(id)]) {
        const reply = await stage.call(`${method} ${path}`, { token: confined.token, body });
        expect(reply.status, `${role} ${method} ${path}`).toBe(403);
      }
    }
  });

  it('a member does all that an owner does', async () => {
    const member = await testAccount(stage.service.sql, stage.organization.id, 'member');
    const { id } = await stage.subscribe(URL);
    for (const [method, path, body] of of(id).filter(([method]) => method !== 'DELETE')) {
      const reply = await stage.call(`${method} ${path}`, { token: member.token, body });
      expect(reply.status, `${method} ${path}`).not.toBe(403);
    }
    expect((await stage.call(`DELETE /webhook-subscriptions/${id}`, { token: member.token })).status).toBe(204);
  });

  it('a grant that was withheld is missing', async () => {
    const account = await testAccount(stage.service.sql, stage.organization.id, 'member', {
      withheld: ['delete:Webhooks'],
    });
    const { id } = await stage.subscribe(URL);
    expect((await stage.call(`DELETE /webhook-subscriptions/${id}`, { token: account.token })).status).toBe(403);
    expect((await stage.call(`GET /webhook-subscriptions/${id}`, { token: account.token })).status).toBe(200);
  });
});

describe('404', () => {
  it.each(['no-id', newId(), `${newId()}x`])('there is no subscription %s', async (id) => {
    for (const [method, path, body] of of(id)) {
      const reply = await stage.call(`${method} ${path}`, { body });
      expect(reply.status, `${method} ${path}`).toBe(404);
      expect(reply.body).toEqual({ code: 404, error: 'Webhook subscription not found', details: { id } });
    }
  });

  it("another tenant's subscription does not exist", async () => {
    const { token } = await freshTenant();
    const { id } = await stage.subscribe(URL);
    for (const [method, path, body] of of(id)) {
      expect((await stage.call(`${method} ${path}`, { token, body })).status, `${method} ${path}`).toBe(404);
    }
    expect(await stage.find(id)).toMatchObject({ status: 'active', rotating: false });
    expect((await stage.call<{ count: number }>('GET /webhook-subscriptions', { token })).body.count).toBe(0);
  });

  it('a delivery of another subscription does not exist', async () => {
    const [first, second] = [await stage.subscribe(URL), await stage.subscribe(URL)];
    const test = await stage.call<{ id: string }>(`POST /webhook-subscriptions/${first.id}/test`);
    const replay = (subscription: string, delivery: string) =>
      stage.call(`POST /webhook-subscriptions/${subscription}/deliveries/${delivery}/replay`);
    expect((await replay(first.id, test.body.id)).status).toBe(202);
    const refused = await replay(second.id, test.body.id);
    expect(refused.body).toEqual({ code: 404, error: 'Webhook delivery not found', details: { id: test.body.id } });
    expect((await replay(first.id, 'nonsense')).status).toBe(404);
  });
});

describe('409', () => {
  it('the twenty-first is refused, however many come at once', async () => {
    const { token } = await freshTenant();
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => stage.call('POST /webhook-subscriptions', { token, body: { url: URL } })),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(409)]);
    const refused = replies.find((reply) => reply.status === 409);
    expect(refused?.body).toEqual({ code: 409, error: 'Too many webhook subscriptions', details: { limit: 20 } });

    const list = await stage.call<{ data: { id: string }[] }>('GET /webhook-subscriptions', { token });
    await stage.call(`DELETE /webhook-subscriptions/${list.body.data[0]?.id}`, { token });
    const again = await stage.call('POST /webhook-subscriptions', { token, body: { url: URL } });
    expect(again.status).toBe(201);
  });
});

describe('422', () => {
  it.each([
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'hooks.example.com',
    'https://',
    'https://localhost/',
    'https://printer/',
    'https://db.internal/',
    'https://nas.local/',
    'https://app.localhost/',
    'https://10.0.0.5/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f000001/',
    'https://user:pass@hooks.example.com/',
    'https://hooks.example.com:0/',
    `https://hooks.example.com/${'a'.repeat(2100)}`,
    '',
    5,
    null,
    undefined,
  ])('url %s', async (url) => {
    const reply = await stage.call<{ details: Record<string, string> }>('POST /webhook-subscriptions', {
      body: { url },
    });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.details)).toEqual(['url']);
    expect(reply.body.details.url).toMatch(/\w/);
    if (url === undefined) return;
    const { id } = await stage.subscribe(URL);
    const patched = await stage.call<{ details: object }>(`PATCH /webhook-subscriptions/${id}`, { body: { url } });
    expect(patched.status).toBe(422);
    expect(Object.keys(patched.body.details)).toEqual(['url']);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it.each([
    [{ url: URL, event_types: ['order.created', 'order.eaten'] }, 'event_types'],
    [{ url: URL, event_types: ['webhook.test'] }, 'event_types'],
    [{ url: URL, event_types: 'order.created' }, 'event_types'],
    [{ url: URL, event_types: [7] }, 'event_types.0'],
    [{ url: URL, description: 'x'.repeat(1001) }, 'description'],
    [{ url: URL, description: 3 }, 'description'],
  ])('create %j', async (body, field) => {
    const reply = await stage.call<{ details: object }>('POST /webhook-subscriptions', { body });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.details)).toContain(field);
  });

  it.each([
    [{ status: 'disabled' }, 'status'],
    [{ status: 'on' }, 'status'],
    [{ status: null }, 'status'],
    [{ event_types: ['nothing'] }, 'event_types'],
    [{ description: null }, 'description'],
  ])('change %j', async (body, field) => {
    const { id } = await stage.subscribe(URL);
    const reply = await stage.call<{ details: object }>(`PATCH /webhook-subscriptions/${id}`, { body });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.details)).toEqual([field]);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it.each([{}, { since: 'yesterday' }, { since: 5 }, { since: '2026-13-01T00:00:00Z' }])('recover %j', async (body) => {
    const { id } = await stage.subscribe(URL);
    const reply = await stage.call<{ details: object }>(`POST /webhook-subscriptions/${id}/recover`, { body });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.details)).toEqual(['since']);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});
