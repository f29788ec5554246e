import { describe, expect, test } from 'vitest';
import { call, testAccount, testOrganization } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { SECRET, startAppShop, WOO } from './testing/app-shop.ts';

const { service, shop, ask, install, found, change, auditOf, send } = await startAppShop();
const { sql } = service;

describe('GET /apps/catalog', () => {
  test('returns every app with its settings, its secrets, and how often it is installed', async () => {
    const count = async () => {
      const { status, body } = await ask('GET /apps/catalog');
      expect([status, body.count]).toEqual([200, body.data.length]);
      return body.data.find((app: { app_slug: string }) => app.app_slug === 'woocommerce');
    };
    const before = await count();
    expect(before).toEqual({
      app_slug: 'woocommerce',
      name_en: 'WooCommerce',
      name_ar: expect.stringMatching(/[\u0600-\u06ff]/),
      family: 'web_store',
      kind: 'storefront',
      inbound: 'signed',
      push: true,
      settings_schema: {
        type: 'object',
        properties: expect.objectContaining({ webhook_secret: expect.objectContaining({ type: 'string' }) }),
        required: ['webhook_secret'],
        additionalProperties: false,
      },
      secrets: ['webhook_secret', 'client_secret'],
      installed: expect.any(Number),
    });
    await install();
    expect((await count()).installed).toBe(before.installed + 1);
  });

  test('marks the secrets that calls carry, which must be sent again when the address changes', async () => {
    const { body } = await ask('GET /apps/catalog');
    const markedOf = (slug: string) => {
      const app = body.data.find(({ app_slug }: { app_slug: string }) => app_slug === slug);
      const properties: [string, object][] = Object.entries(app.settings_schema.properties);
      return properties.filter(([, schema]) => 'x-sent-to-vendor' in schema).map(([name]) => name);
    };
    expect(markedOf('salla')).toEqual(['access_token']);
    expect(markedOf('woocommerce')).toEqual(['client_secret']);
    expect(markedOf('tap-sync')).toEqual(['webhook_secret', 'access_token']);
  });
});

describe('PATCH /apps/{id}', () => {
  test('changes the named settings, keeps the rest, and audits their names without values', async () => {
    const { id } = await install({ client_id: 'ck_1', time_zone: 'Asia/Riyadh' });
    const { status, body } = await change(id, {
      settings: { client_id: 'ck_2', time_zone: null, client_secret: 'cs_abcdefgh', webhook_secret: '••••1234' },
    });
    expect([status, body.data.settings]).toEqual([
      200,
      { webhook_secret: '••••1234', client_id: 'ck_2', client_secret: '••••efgh' },
    ]);
    expect(await found(id)).toEqual(body.data);
    // The masked one was kept as it was, not stored as it was shown.
    expect(await send(id, '{"id":1}')).toBe(202);
    expect(await auditOf(id)).toEqual([
      ['create'],
      ['update', 'settings.client_id', 'settings.time_zone', 'settings.client_secret'],
    ]);
  });

  test('returns 200 and writes no audit entry if nothing changes', async () => {
    const { id, ingest_url, ingest_token, ...row } = await install();
    for (const body of [{}, { enabled: true }, { settings: {} }, { settings: { webhook_secret: SECRET } }]) {
      expect((await change(id, body)).body.data).toEqual({ id, ...row });
    }
    expect(await auditOf(id)).toEqual([['create']]);
  });

  test('rejects calls while disabled, and accepts them when enabled again', async () => {
    const { id } = await install();
    expect(await send(id, '{"id":1}')).toBe(202);
    const disabled = await change(id, { enabled: false });
    expect(disabled.body.data).toMatchObject({ enabled: false, status: 'disabled' });
    expect(await send(id, '{"id":2}')).toBe(409);
    expect((await change(id, { enabled: true })).body.data).toMatchObject({ enabled: true, status: 'active' });
    expect(await send(id, '{"id":2}')).toBe(202);
    expect(await auditOf(id)).toEqual([['create'], ['update', 'enabled'], ['update', 'enabled']]);
  });

  test('is failing after ten failures in a row; a change of settings resets the count', async () => {
    const { id } = await install();
    await sql`update app_installs set failures_in_a_row = 9 where id = ${id}`;
    expect((await found(id)).status).toBe('active');
    await sql`update app_installs set failures_in_a_row = 10 where id = ${id}`;
    expect((await found(id)).status).toBe('failing');
    const { body } = await change(id, { settings: { webhook_secret: 'another-secret' } });
    expect(body.data.status).toBe('active');
  });

  test('a secret for an install without an address belongs to no host until it is sent with one', async () => {
    const { id } = await install({ client_id: 'ck_1', client_secret: 'cs_12345678' });
    const api_base_url = 'https://shop.example.com';
    const refused = await change(id, { settings: { api_base_url } });
    expect([refused.status, refused.body.details]).toEqual([
      422,
      { 'settings.client_secret': expect.stringContaining('without an address') },
    ]);
    const moved = await change(id, { settings: { api_base_url, client_secret: 'cs_12345678' } });
    expect(moved.status, moved.text).toBe(200);
    // The secret that verifies incoming calls stays: WooCommerce is never sent it.
    expect(await send(id, '{"id":1}')).toBe(202);
    expect(await auditOf(id)).toEqual([['create'], ['update', 'settings.api_base_url', 'settings.client_secret']]);
  });

  test('changes of different settings at once are both kept', async () => {
    const { id } = await install();
    const changes = [
      { client_id: 'ck_1' },
      { client_secret: 'cs_12345678' },
      { time_zone: 'Asia/Dubai' },
      { branch_iv_id: 'BR-1' },
      { branches: { '1': 'BR-2' } },
    ];
    const replies = await Promise.all(changes.map((settings) => change(id, { settings })));
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect((await found(id)).settings).toEqual({
      webhook_secret: '••••1234',
      client_id: 'ck_1',
      client_secret: '••••5678',
      time_zone: 'Asia/Dubai',
      branch_iv_id: 'BR-1',
      branches: { '1': 'BR-2' },
    });
  });

  test.each<[string, object, string]>([
    ['removing the secret that verifies calls', { webhook_secret: null }, 'webhook_secret'],
    ['a mask that is not the one shown', { webhook_secret: '••••9999' }, 'webhook_secret'],
    ['a mask of a secret that is not there', { client_secret: '••••' }, 'client_secret'],
    ['a setting it does not take, even to take it away', { chain_id: null }, 'chain_id'],
    ['an address that is private', { api_base_url: 'https://192.168.1.1' }, 'api_base_url'],
    ['a branch that is not there', { branch_iv_id: 'NOWHERE' }, 'branch_iv_id'],
  ])('422: %s, and nothing is changed', async (_what, settings, field) => {
    const { id, settings: before } = await install();
    const reply = await change(id, { enabled: false, settings: { client_id: 'ck_new', ...settings } });
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([422, [`settings.${field}`]]);
    expect(await found(id)).toMatchObject({ enabled: true, settings: before });
  });

  test('accepts a change of another setting although a stored branch was deleted', async () => {
    await ask('POST /branches', { body: { iv_id: 'GONE' } });
    const { id } = await install({ branch_iv_id: 'GONE', branches: { '1': 'GONE' } });
    expect((await ask('DELETE /branches/GONE?force=true')).status).toBeLessThan(300);
    expect((await change(id, { settings: { webhook_secret: 'rotated-secret' } })).status).toBe(200);
    expect((await change(id, { settings: { branches: { '1': 'GONE', '2': 'GONE' } } })).body.details).toEqual({
      'settings.branches.2': expect.any(String),
    });
  });

  test('returns 422 if enabled is not a boolean', async () => {
    const { id } = await install();
    expect((await change(id, { enabled: 'yes' })).body.details).toEqual({ enabled: expect.any(String) });
  });
});

describe('DELETE /apps/{id}', () => {
  test('removes the install with its pending payloads; orders and processed payloads stay', async () => {
    const { id, ingest_url, ingest_token, ...row } = await install();
    const order = await ask('POST /orders', {
      body: {
        source: id,
        source_transaction_id: 'kept',
        order_status: 'RECEIVED',
        payment_status: 'pending',
        fulfillment_status: 'None',
        skus: ['s'],
        products: [{ product_id: 'p', sku_id: 's', name: 'n', quantity: 1, price: 1 }],
        total_amount: 1,
      },
    });
    expect(order.status, order.text).toBe(201);
    expect(await send(id, '{"id":"pending"}')).toBe(202);
    expect(await send(id, '{"id":"read"}')).toBe(202);
    const staged = (await ask(`GET /staging?organization_app_id=${id}`)).body.data;
    expect(staged).toHaveLength(2);
    const read = staged[0].id;
    await sql`delete from staging_queue where staging_id = ${read}`;
    await sql`update staged_payloads set status = 'failed' where id = ${read}`;

    const removed = await ask(`DELETE /apps/${id}`);
    expect([removed.status, removed.body.data]).toEqual([200, { id, ...row }]);
    expect(await found(id)).toBeUndefined();
    const left = (await ask(`GET /staging?organization_app_id=${id}`)).body.data;
    expect(left.map((payload: { id: string }) => payload.id)).toEqual([read]);
    const kept = await ask(`GET /orders/${order.body.data.id}`);
    expect([kept.status, kept.text.includes(id)]).toEqual([200, true]);
    expect(await auditOf(id)).toEqual([['create'], ['delete']]);

    expect(await send(id, '{"id":"pending"}')).toBe(404);
    expect((await ask(`DELETE /apps/${id}`)).status).toBe(404);
    expect((await change(id, { enabled: true })).status).toBe(404);
    // Nothing would ever read it.
    const retried = await ask(`POST /staging/${read}/retry`);
    expect([retried.status, retried.body.error]).toEqual([409, 'App not installed']);
  });
});

describe('GET /health/system', () => {
  test('counts how many installs there are, how many are enabled and how many fail', async () => {
    const figures = async () => {
      const { total_apps, active_apps, manager_metrics, registry_metrics } = (await ask('GET /health/system')).body
        .system_health;
      const { total_factories, total_errors, total_created } = registry_metrics;
      expect([total_created, manager_metrics.total_instances, manager_metrics.active_instances]).toEqual([
        total_apps,
        total_apps,
        active_apps,
      ]);
      return { total_apps, active_apps, total_errors, total_factories };
    };
    const before = await figures();
    expect(before.total_factories).toBe((await ask('GET /apps/catalog')).body.count);
    const [disabled, failing] = [await install(), await install()];
    await change(disabled.id, { enabled: false });
    await sql`update app_installs set failures_in_a_row = 10 where id = any(${[disabled.id, failing.id]})`;
    expect(await figures()).toEqual({
      ...before,
      total_apps: before.total_apps + 2,
      active_apps: before.active_apps + 1,
      total_errors: before.total_errors + 1,
    });
  });
});

describe('permissions', () => {
  test.each(['not-an-id', newId()])('404: %s', async (id) => {
    for (const reply of [await change(id, { enabled: false }), await ask(`DELETE /apps/${id}`)]) {
      expect([reply.status, reply.body]).toEqual([404, { code: 404, error: 'App not found', details: { id } }]);
    }
  });

  test("returns 404 for another tenant's install and leaves it unchanged", async () => {
    const { id } = await install();
    const { owner } = await testOrganization(sql);
    const before = await found(id);
    expect((await change(id, { enabled: false }, { token: owner.token })).status).toBe(404);
    expect((await ask(`DELETE /apps/${id}`, { token: owner.token })).status).toBe(404);
    expect((await ask('GET /apps', { token: owner.token })).body).toEqual({ data: [], count: 0 });
    expect(await found(id)).toEqual(before);
  });

  test('an API key without grants reads the installs and nothing else', async () => {
    const { id } = await install();
    const { apiKey } = shop;
    const withKey = (target: string, body?: object) => call(service.baseUrl, target, { apiKey, body });
    const listed = await withKey('GET /apps');
    expect(listed.status).toBe(200);
    expect(listed.text).not.toContain(SECRET);
    for (const [target, body] of [
      ['GET /apps/catalog'],
      ['POST /apps', WOO],
      [`PATCH /apps/${id}`, { enabled: false }],
      [`DELETE /apps/${id}`],
      ['GET /staging'],
    ] as [string, object?][]) {
      expect([target, (await withKey(target, body)).status]).toEqual([target, 401]);
    }
    expect((await call(service.baseUrl, 'GET /apps')).body).toMatchObject({
      code: 401,
      error: 'Valid API key required',
    });
  });

  test('accounts and keys confined to a branch see the entries of that branch only', async () => {
    const { id } = await install({ branch_iv_id: 'BR-2', branches: { one: 'BR-1', other: 'BR-2', third: 'BR-1' } });
    const own = await install({ branch_iv_id: 'BR-1' });
    const [branch] = await sql<{ id: string }[]>`
      select id from branches where organization_id = ${shop.id} and iv_id = 'BR-1'`;
    const { token } = await testAccount(sql, shop.id, 'member', { branchId: branch?.id ?? '' });
    const key = { name: 'of a branch', branch_iv_id: 'BR-1' };
    const { api_key: apiKey } = (await ask('POST /auth/api-keys', { body: key })).body;
    for (const caller of [{ token }, { apiKey }]) {
      const listed = await call(service.baseUrl, 'GET /apps', caller);
      const settingsOf = (wanted: string) => listed.body.data.find((row: { id: string }) => row.id === wanted).settings;
      expect(settingsOf(id)).toEqual({ webhook_secret: '••••1234', branches: { one: 'BR-1', third: 'BR-1' } });
      expect(settingsOf(own.id)).toEqual({ webhook_secret: '••••1234', branch_iv_id: 'BR-1' });
      expect(listed.text).not.toContain('BR-2');
    }
    expect((await found(id)).settings.branches).toEqual({ one: 'BR-1', other: 'BR-2', third: 'BR-1' });
  });

  test('an account whose branch was deleted sees no branch', async () => {
    const made = await ask('POST /branches', { body: { iv_id: 'BR-SHORT' } });
    const { token } = await testAccount(sql, shop.id, 'member', { branchId: made.body.data.id });
    const { id } = await install({ branch_iv_id: 'BR-SHORT', branches: { one: 'BR-SHORT', other: 'BR-2' } });
    expect((await ask('DELETE /branches/BR-SHORT?force=true')).status).toBeLessThan(300);
    const listed = await ask('GET /apps', { token });
    const row = listed.body.data?.find((one: { id: string }) => one.id === id);
    expect(row?.settings ?? { branches: {} }).toMatchObject({ branches: {} });
    expect(listed.text).not.toContain('BR-');
  });

  test('viewers read, branch-confined members read too; neither changes anything', async () => {
    const { id } = await install();
    const [branch] = await sql<{ id: string }[]>`
      select id from branches where organization_id = ${shop.id} and iv_id = 'BR-1'`;
    const viewer = await testAccount(sql, shop.id, 'viewer');
    const confined = await testAccount(sql, shop.id, 'member', { branchId: branch?.id ?? '' });
    for (const { token } of [viewer, confined]) {
      expect((await ask('GET /apps', { token })).status).toBe(200);
      expect((await ask('GET /apps/catalog', { token })).status).toBe(200);
      expect((await ask('POST /apps', { token, body: WOO })).status).toBe(403);
      expect((await change(id, { enabled: false }, { token })).status).toBe(403);
      expect((await ask(`DELETE /apps/${id}`, { token })).status).toBe(403);
    }
    const member = await testAccount(sql, shop.id, 'member');
    expect((await change(id, { enabled: false }, { token: member.token })).status).toBe(200);
  });
});
