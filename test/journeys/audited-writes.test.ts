import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OpenApiDocument, routesOf } from '../harness/documented-routes.ts';
import { type Call, type ReplyBody, testAccount, testShop } from '../harness/index.ts';
import { auditedWrites, closed, form, offer } from './audited-writes-cases.ts';

const { service, shop, ask } = await testShop({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', DUKKAN_ROLES: 'api' });
const { sql } = service;

type Entry = { action: string; resource: string; resource_id: string; changed_fields: string[] };

const idOf = async (table: string, ivId: string): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`select id from ${sql(table)} where iv_id = ${ivId}`;
  return row?.id ?? '';
};

/** The audit entries of the request, oldest first. */
async function recordedBy(target: string, options: Call): Promise<{ reply: ReplyBody; entries: Entry[] }> {
  const reply = await ask(target, options);
  expect(reply.status, `${target} ${reply.text}`).toBeLessThan(300);
  const requestId = reply.headers.get('x-request-id');
  const entries = await sql<(Entry & { actor_kind: string; actor_id: string })[]>`
    select actor_kind, actor_id, action, resource, resource_id, changed_fields from audit_entries
    where organization_id = ${shop.id} and request_id = ${requestId} order by at, id`;
  expect(entries.every((entry) => entry.actor_kind === 'user' && entry.actor_id === shop.owner.userId)).toBe(true);
  return { reply: reply.body, entries: entries.map(({ actor_kind: _kind, actor_id: _id, ...entry }) => entry) };
}

const made: Record<string, string> = {};

beforeAll(async () => {
  for (const iv_id of ['B1', 'B2', 'B3']) {
    made[iv_id] = (await ask('POST /branches', { body: { iv_id, name_en: 'before' } })).body.data.id;
  }
  for (const iv_id of ['P1', 'P2', 'P3']) {
    made[iv_id] = (await ask('POST /products', { body: { iv_id, average_price: 2 } })).body.data.id;
  }
  for (const group of ['brands', 'categories']) {
    made[group] = (await ask(`POST /${group}`, { body: { name_en: 'before', name_ar: 'قبل' } })).body.data.id;
  }
  const url = 'https://127.0.0.1:9/hook';
  made.subscription = (await ask('POST /webhook-subscriptions', { body: { url } })).body.id;
  const webhook_secret = 'a secret of the shop';
  made.app = (
    await ask('POST /apps', { body: { app_slug: 'woocommerce', settings: { webhook_secret } } })
  ).body.data.id;
  const signature = createHmac('sha256', webhook_secret).digest('base64');
  const received = await ask(`POST /ingest/${made.app}`, { headers: { 'x-wc-webhook-signature': signature } });
  made.payload = received.body.data.staging_id;
  // No worker runs here, and only a failed payload can be changed.
  await sql`update staged_payloads set status = 'failed', error_code = 'not_json' where id = ${made.payload ?? ''}`;
  made.closure = (await ask('POST /branches/B2/closures', { body: closed(3) })).body.data.id;
  made.image = (await ask('POST /products/code/P2/images', { raw: form({}, ['file']) })).body.data.images[0].id;
  made.schedule = (await ask('POST /skus/scheduled-prices', { body: offer('P2_B1') })).body.data.id;
  made.sku = await idOf('skus', 'P1_B1');
  made.sku2 = await idOf('skus', 'P2_B1');
});

const CASES = auditedWrites(made, idOf);

describe('every audited write leaves exactly its entries', () => {
  const target = (call: string) => call.replace(/\{(\w+)\}/g, (_whole, name: string) => made[name] ?? '');

  it.each(CASES.map((one) => [one.call, one] as const))('%s', async (call, { body, raw, resource, expected }) => {
    const { reply, entries } = await recordedBy(target(call), raw === undefined ? { body } : { raw: raw() });
    const wanted = await Promise.all(
      expected.map(async ({ action, id, fields = [] }) => ({
        action,
        resource,
        resource_id: typeof id === 'string' ? id : await id(reply),
        changed_fields: fields,
      })),
    );
    expect(entries).toEqual(wanted);
  });

  it('covers all writes of catalog, apps and webhooks', async () => {
    const audited = ['Branches', 'Products', 'Brands', 'Categories', 'SKUs', 'Apps', 'Staging', 'Webhooks'];
    const { body } = await ask<OpenApiDocument>('GET /openapi.json');
    const writes = routesOf(body)
      .filter(({ method, operation }) => method !== 'GET' && operation.tags?.some((tag) => audited.includes(tag)))
      .map(({ key }) => key.replace(/\{\w+\}/g, '*'));
    const tried = new Set(
      CASES.map(({ call }) => call.replace(/\?.*$/, '').replace(/\{\w+\}|(?<=\/)(B|P)\d(_B1)?(?=\/|$)/g, '*')),
    );
    const untried = writes.filter((key) => !tried.has(key));
    // A test of the connection only reads from the vendor; a vendor's call is no change by a user; a replay repeats a delivery
    // and changes no settings.
    expect(untried.sort()).toEqual([
      'POST /apps/*/test-connection',
      'POST /ingest/*',
      'POST /webhook-subscriptions/*/deliveries/*/replay',
    ]);
    expect(writes.length).toBeGreaterThan(20);
  });

  it('writes no entry for a repeated Idempotency-Key', async () => {
    const options = { body: { iv_id: 'ONCE' }, headers: { 'idempotency-key': 'audited-once' } };
    expect((await recordedBy('POST /products', options)).entries).toHaveLength(1);
    expect((await recordedBy('POST /products', options)).entries).toEqual([]);
  });

  it('writes an entry for each of a thousand products', async () => {
    const products = Array.from({ length: 1000 }, (_, number) => ({ iv_id: `M${number}` }));
    const { entries } = await recordedBy('POST /products/bulk', { body: { mode: 'create', products } });
    expect(entries).toHaveLength(1000);
    expect(new Set(entries.map((entry) => entry.resource_id)).size).toBe(1000);
  });
});

describe('the change and its audit entry', () => {
  const refused: [string, Call, string][] = [
    ['POST /branches', { body: { iv_id: 'NEVER' } }, `select from branches where iv_id = 'NEVER'`],
    ['PUT /branches/B1', { body: { name_en: 'never' } }, `select from branches where name_en = 'never'`],
    ['DELETE /branches/B2?force=true', {}, `select where not exists (select from branches where iv_id = 'B2')`],
    ['POST /products', { body: { iv_id: 'NEVER' } }, `select from products where iv_id = 'NEVER'`],
    [
      'POST /products/bulk',
      { body: { mode: 'create', products: [{ iv_id: 'NEVER' }] } },
      `select from products where iv_id = 'NEVER'`,
    ],
    ['DELETE /products/code/P1?force=true', {}, `select from products where iv_id = 'P1' and is_deleted`],
    ['PATCH /skus/P1_B1', { body: { current_qty: 77 } }, 'select from skus where current_qty = 77'],
    ['POST /brands', { body: { name_en: 'never' } }, `select from brands where name_en = 'never'`],
    [
      'POST /webhook-subscriptions',
      { body: { url: 'https://127.0.0.1:9/never' } },
      `select from webhook_subscriptions where url like '%never'`,
    ],
  ];

  it('are committed together or not at all', async () => {
    await sql`alter table audit_entries rename column request_id to gone`;
    try {
      for (const [target, options, trace] of refused) {
        expect([target, (await ask(target, options)).status]).toEqual([target, 500]);
        expect([target, (await sql.unsafe(trace)).length]).toEqual([target, 0]);
      }
    } finally {
      await sql`alter table audit_entries rename column gone to request_id`;
    }
    const [again] = refused;
    if (again !== undefined) expect((await recordedBy(again[0], again[1])).entries).toHaveLength(1);
  });

  it('are not written when the request is refused', async () => {
    const viewer = await testAccount(sql, shop.id, 'viewer');
    const before = (await ask('GET /audit')).body.total_count;
    expect((await ask('POST /branches', { body: { iv_id: 'B1' } })).status).toBe(409);
    expect((await ask('PUT /products/code/NOT-THERE', { body: {} })).status).toBe(404);
    expect((await ask('DELETE /branches/B1')).status).toBe(409);
    expect((await ask('POST /brands', { body: {} })).status).toBe(422);
    expect((await ask('POST /products', { body: { iv_id: 'V' }, token: viewer.token })).status).toBe(403);
    expect((await ask('GET /audit')).body.total_count).toBe(before);
  });
});

describe('secrets', () => {
  it('are in no audit entry', async () => {
    const email = 'secretive@tests.example';
    const password = 'a password that must not be shown';
    const url = 'https://user:in-the-url@127.0.0.1:9/hook?key=in-the-query';
    const webhook = await ask('POST /webhook-subscriptions', {
      body: { url: 'https://127.0.0.1:9/h?key=in-the-query' },
    });
    const rotated = await ask(`POST /webhook-subscriptions/${webhook.body.id}/rotate-secret`);
    const session = await ask('POST /auth/session-tokens', { body: { name: 'secretive' } });
    const key = await ask('POST /auth/api-keys', { body: { name: 'secretive' } });
    const settings = { webhook_secret: 'in-the-settings' };
    const app = await ask('POST /apps', { body: { app_slug: 'woocommerce', settings } });
    await ask(`PATCH /apps/${app.body.data.id}`, { body: { settings: { client_secret: 'in-the-change' } } });
    await ask('PATCH /webhook-subscriptions/'.concat(webhook.body.id), { body: { url } });
    await ask('PUT /branches/B1', { body: { email } });
    const person = await testAccount(sql, shop.id);
    const passwords = { current_password: person.password, new_password: password };
    expect((await ask('POST /auth/password', { body: passwords, token: person.token })).status).toBeLessThan(300);
    const login = await ask('POST /auth/login', { body: { email: person.email, password } });
    const secrets = [
      ...[webhook, rotated].map((reply) => String(reply.body.secret)),
      session.body.token,
      key.body.api_key,
      app.body.data.ingest_token,
      'in-the-settings',
      'in-the-change',
      login.body.access_token,
      login.body.refresh_token,
      shop.owner.token,
      shop.apiKey,
      shop.owner.password,
      password,
      'in-the-query',
      'in-the-url',
      email,
    ];
    expect(secrets.filter((secret) => typeof secret !== 'string' || secret.length < 8)).toEqual([]);
    const rows = await sql<{ row: string }[]>`select e::text as row from audit_entries e`;
    expect(rows.length).toBeGreaterThan(1000);
    const text = rows.map(({ row }) => row).join('\n');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
