import { beforeAll, describe, expect, it } from 'vitest';
import { testAccount, testOrganization } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { openWebhookService, type WebhookService } from './testing/webhook-service.ts';

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

const of = (id: string, delivery: string = newId()) =>
  [
    ['GET', `/webhook-subscriptions/${id}`, undefined],
    ['PATCH', `/webhook-subscriptions/${id}`, { status: 'paused' }],
    ['DELETE', `/webhook-subscriptions/${id}`, undefined],
    ['POST', `/webhook-subscriptions/${id}/rotate-secret`, undefined],
    ['POST', `/webhook-subscriptions/${id}/test`, undefined],
    ['GET', `/webhook-subscriptions/${id}/deliveries`, undefined],
    ['GET', `/webhook-subscriptions/${id}/deliveries/${delivery}`, undefined],
    ['POST', `/webhook-subscriptions/${id}/deliveries/${delivery}/replay`, undefined],
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
    const test = await stage.call<{ id: string }>(`POST /webhook-subscriptions/${id}/test`);
    for (const [method, path, body] of [...collection, ...of(id, test.body.id)]) {
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
    const look = (subscription: string, delivery: string) =>
      stage.call(`GET /webhook-subscriptions/${subscription}/deliveries/${delivery}`);
    expect((await replay(first.id, test.body.id)).status).toBe(202);
    expect((await look(first.id, test.body.id)).status).toBe(200);
    for (const ask of [replay, look]) {
      const refused = await ask(second.id, test.body.id);
      expect(refused.body).toEqual({ code: 404, error: 'Webhook delivery not found', details: { id: test.body.id } });
      for (const id of ['nonsense', newId()]) {
        expect((await ask(first.id, id)).body).toMatchObject({ code: 404, details: { id } });
      }
    }
  });
});

describe('409', () => {
  it('the twenty-first subscription, also with concurrent requests', async () => {
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
