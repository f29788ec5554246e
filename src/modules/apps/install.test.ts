import { describe, expect, test } from 'vitest';
import { call, testAccount, testOrganization } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { SECRET, startAppShop, WOO } from './testing/app-shop.ts';

const { service, shop, ask, install, found, auditOf } = await startAppShop();
const { sql } = service;

type Problem = { code: number; error: string; details: Record<string, string> };

describe('POST /apps', () => {
  test('returns 201 with the row, the ingest URL and, only here, the token', async () => {
    const { status, body } = await ask('POST /apps', { body: WOO });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      timestamp: expect.any(String),
      data: {
        id: expect.any(String),
        app_slug: 'woocommerce',
        name_en: 'WooCommerce',
        name_ar: expect.any(String),
        family: 'web_store',
        kind: 'storefront',
        enabled: true,
        status: 'active',
        settings: { webhook_secret: '••••1234' },
        last_sync_at: null,
        created: expect.any(String),
        updated: expect.any(String),
        ingest_url: `${service.baseUrl}/api/v1/ingest/${body.data.id}`,
        ingest_token: expect.stringMatching(/^dkt_[\w-]{32}$/),
      },
    });
    const { ingest_url, ingest_token, ...row } = body.data;
    expect(await found(row.id)).toEqual(row);
    expect(await auditOf(row.id)).toEqual([['create']]);
  });

  test('installs the same app twice, each with its own id and token', async () => {
    const [one, other] = [await install(), await install()];
    expect(one.id).not.toBe(other.id);
    expect(one.ingest_token).not.toBe(other.ingest_token);
  });

  test('stores and shows all settings; shows the last four characters of secrets, and none of short ones', async () => {
    const settings = {
      api_base_url: 'https://shop.example.com/store',
      client_id: 'ck_1',
      client_secret: 'short',
      branch_iv_id: 'BR-1',
      branches: { '77': 'BR-2' },
      time_zone: 'Asia/Dubai',
    };
    const { settings: shown } = await install(settings);
    expect(shown).toEqual({ ...settings, webhook_secret: '••••1234', client_secret: '••••' });
  });

  test('stores neither secrets nor the token in plain text', async () => {
    const { id, ingest_token } = await install({ client_secret: 'cs_kept-under-seal', client_id: 'ck_kept-as-well' });
    const rows = await sql<{ row: Buffer }[]>`
      select settings || ingest_token || convert_to(a::text, 'UTF8') as row from app_installs a where id = ${id}`;
    expect(rows).toHaveLength(1);
    const text = rows.map(({ row }) => row.toString('latin1')).join();
    for (const secret of [SECRET, ingest_token, 'cs_kept-under-seal', 'ck_kept-as-well']) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  test('returns the same 201 for a repeated Idempotency-Key, and 422 for another body', async () => {
    const headers = { 'idempotency-key': newId() };
    const replies = await Promise.all([1, 2, 3].map(() => ask('POST /apps', { body: WOO, headers })));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get('idempotency-hit') === 'true')).toHaveLength(2);
    const other = { ...WOO, settings: { webhook_secret: 'another' } };
    expect((await ask('POST /apps', { body: other, headers })).status).toBe(422);
    const kept = await sql<{ row: string }[]>`
      select k::text as row from idempotency_keys k where key = ${headers['idempotency-key']}`;
    expect(kept[0]?.row).not.toContain(Buffer.from(replies[0]?.body.data.ingest_token).toString('hex'));
  });

  test.each<[string, object, string]>([
    ['an app that there is not', { app_slug: 'no-such-app' }, 'app_slug'],
    ['no app', { settings: {} }, 'app_slug'],
    ['settings that are no object', { ...WOO, settings: [] }, 'settings'],
    ['no secret to verify calls by', { app_slug: 'woocommerce' }, 'settings.webhook_secret'],
    ['an empty secret', { ...WOO, settings: { webhook_secret: '' } }, 'settings.webhook_secret'],
    ['a secret that is no text', { ...WOO, settings: { webhook_secret: 1234 } }, 'settings.webhook_secret'],
    [
      'a masked secret that is not stored',
      { ...WOO, settings: { webhook_secret: '••••1234' } },
      'settings.webhook_secret',
    ],
  ])('422: %s', async (_what, body, field) => {
    const reply = await ask<Problem>('POST /apps', { body });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.details)).toEqual([field]);
  });

  const store = 'x'.repeat(201);
  test.each<[string, object, string]>([
    ['of another app', { chain_id: '7' }, 'chain_id'],
    ['that does not exist', { surprise: true }, 'surprise'],
    ['called like what every object has', { constructor: 'x' }, 'constructor'],
    ['of the demo', { sandbox: true }, 'sandbox'],
    ['without encryption', { api_base_url: 'http://shop.example.com' }, 'api_base_url'],
    ['on a private address', { api_base_url: 'https://10.0.0.8' }, 'api_base_url'],
    ['on this machine', { api_base_url: 'https://127.0.0.1:8443' }, 'api_base_url'],
    ['on this machine by name', { api_base_url: 'https://localhost/x' }, 'api_base_url'],
    ['in the metadata service', { api_base_url: 'https://169.254.169.254/' }, 'api_base_url'],
    ['with credentials', { api_base_url: 'https://a:b@shop.example.com' }, 'api_base_url'],
    ['with a query', { api_base_url: 'https://shop.example.com/?q=1' }, 'api_base_url'],
    ['with a fragment', { api_base_url: 'https://shop.example.com/#x' }, 'api_base_url'],
    ['of no branch', { branch_iv_id: 'NOWHERE' }, 'branch_iv_id'],
    ['of no branch for a store', { branches: { '1': 'BR-1', '2': 'NOWHERE' } }, 'branches.2'],
    ['of a branch that is no text', { branches: { '1': 7 } }, 'branches.1'],
    ['of a store with an endless name', { branches: { [store]: 'BR-1' } }, 'branches'],
    ['in no time zone', { time_zone: 'Asia/Atlantis' }, 'time_zone'],
  ])('422: a setting %s', async (_what, settings, field) => {
    const body = { ...WOO, settings: { ...WOO.settings, ...settings } };
    const reply = await ask<Problem>('POST /apps', { body });
    expect(reply.status, reply.text).toBe(422);
    expect(Object.keys(reply.body.details)).toEqual([`settings.${field}`]);
  });

  test('returns a short 422 for thousands of settings', async () => {
    const settings = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`s${number}`, 1]));
    const reply = await ask('POST /apps', { body: { ...WOO, settings } });
    expect(reply.status).toBe(422);
    expect(reply.text.length).toBeLessThan(2_000);
  });

  test("returns 422 for another tenant's branch", async () => {
    const other = await testOrganization(sql);
    await call(service.baseUrl, 'POST /branches', { token: other.owner.token, body: { iv_id: 'THEIRS' } });
    const body = { ...WOO, settings: { ...WOO.settings, branch_iv_id: 'THEIRS' } };
    expect((await ask('POST /apps', { body })).status).toBe(422);
  });

  test('returns 409 for install 101, also with concurrent requests', async () => {
    const other = await testOrganization(sql);
    const asOther = { token: other.owner.token };
    const { id } = await install({}, asOther);
    await sql`
      insert into app_installs (organization_id, id, app_slug, name_en, name_ar, family, kind, enabled, settings, created,
                                updated)
      select organization_id, gen_random_uuid(), app_slug, name_en, name_ar, family, kind, true, settings, created, updated
      from app_installs, generate_series(1, 97) where id = ${id}`;
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask('POST /apps', { body: WOO, ...asOther })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.details).toEqual({ limit: 100 });
    const { body } = await ask('GET /apps', asOther);
    expect([body.count, body.data.length]).toEqual([100, 100]);
  });
});

describe('POST /apps/{id}/rotate-ingest-token', () => {
  const GENERIC = { body: { app_slug: 'generic', settings: {} } };
  const deliver = async (id: string, token: string, number: number) =>
    (
      await call(service.baseUrl, `POST /ingest/${id}`, {
        raw: `{"id":${number}}`,
        headers: { 'x-ingest-token': token },
      })
    ).status;

  test('shows a new token once; the old one stops at once', async () => {
    const { id, ingest_token: old } = (await ask('POST /apps', GENERIC)).body.data;
    expect(await deliver(id, old, 1)).toBe(202);
    const { status, body } = await ask(`POST /apps/${id}/rotate-ingest-token`);
    expect([status, body]).toMatchObject([
      200,
      {
        success: true,
        data: {
          id,
          ingest_url: `${service.baseUrl}/api/v1/ingest/${id}`,
          ingest_token: expect.stringMatching(/^dkt_[\w-]{32}$/),
        },
      },
    ]);
    expect([await deliver(id, old, 2), await deliver(id, body.data.ingest_token, 3)]).toEqual([401, 202]);
    expect(await auditOf(id)).toEqual([['create'], ['rotate-secret', 'ingest_token']]);
    expect(JSON.stringify(await found(id))).not.toContain(body.data.ingest_token);
  });

  test('returns 403 for members, 404 for an unknown install and one of another organization', async () => {
    const { id } = await install();
    const member = await testAccount(sql, shop.id, 'member');
    const refused = await ask(`POST /apps/${id}/rotate-ingest-token`, { token: member.token });
    expect([refused.status, refused.headers.get('x-error-reason')]).toEqual([403, 'owner-required']);
    const foreign = (await testOrganization(sql)).owner.token;
    for (const route of ['rotate-ingest-token', 'test-connection']) {
      expect((await ask(`POST /apps/${newId()}/${route}`)).status).toBe(404);
      expect((await ask(`POST /apps/nonsense/${route}`)).status).toBe(404);
      expect((await ask(`POST /apps/${id}/${route}`, { token: foreign })).status).toBe(404);
    }
  });
});

describe('POST /apps/{id}/test-connection', () => {
  test('returns 200 with the reason when a setting is missing, and 409 for an app without the call', async () => {
    const { id } = await install();
    const reply = await ask(`POST /apps/${id}/test-connection`);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        ok: false,
        status_code: null,
        duration_ms: expect.any(Number),
        message: expect.stringContaining('api_base_url'),
      },
    ]);
    const generic = (await ask('POST /apps', { body: { app_slug: 'generic', settings: {} } })).body.data.id;
    const refused = await ask(`POST /apps/${generic}/test-connection`);
    expect([refused.status, refused.body.error]).toEqual([409, 'App has no connection test']);
  });
});

describe('PATCH /apps/{id} with If-Match', () => {
  test('changes the version that was read, and returns 412 with the current one for another', async () => {
    const row = await install();
    const change = (etag: string, settings: object) =>
      ask(`PATCH /apps/${row.id}`, { body: { settings }, headers: { 'if-match': etag } });
    const first = await change(`"${row.updated}"`, { branch_iv_id: 'BR-1' });
    expect([first.status, first.headers.get('etag')]).toEqual([200, `"${first.body.data.updated}"`]);
    expect(first.body.data.updated).not.toBe(row.updated);
    const stale = await change(`"${row.updated}"`, { branch_iv_id: 'BR-2' });
    expect([stale.status, stale.body.details]).toEqual([412, { current: first.body.data }]);
    expect((await change(String(first.headers.get('etag')), { branch_iv_id: 'BR-2' })).status).toBe(200);
  });
});
