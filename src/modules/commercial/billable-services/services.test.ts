import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, commercialAccount, testOrganization, testShop } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { formOf, jpeg, listStoredFiles, png } from '../../branches/testing/images.ts';
import { listChargeableAssignments } from './index.ts';

const { service, shop, ask } = await testShop();
const { sql } = service;
const operator = await commercialAccount(sql);
const BASE = '/commercial/billable-services';
const asked = (target: string, options: Call = {}) => ask(target, { token: operator.token, ...options });

const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');
let codes = 0;
const newService = async (fields: Record<string, unknown> = {}) => {
  codes += 1;
  const { status, text, body } = await asked(`POST ${BASE}`, {
    body: { code: `S-${codes}`, name_en: 'Sync', price_sar: 10.5, ...fields },
  });
  expect(status, text).toBe(201);
  return body;
};
const install = async (token = shop.owner.token) => {
  const { body } = await ask('POST /apps', { token, body: { app_slug: 'generic', settings: { webhook_secret: 's' } } });
  return body.data.id as string;
};
const auditOf = (resourceId: string) => sql`
  select organization_id, actor_kind, action, resource, changed_fields from audit_entries
  where resource_id = ${resourceId} order by id`;

let app: string;
beforeAll(async () => {
  app = await install();
});

describe('access', () => {
  it.each([
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${newId()}`],
    ['POST', `/${newId()}/assets`],
    ['POST', '/assign'],
    ['GET', '/assignments'],
    ['PATCH', `/assignments/${newId()}`],
    ['DELETE', `/assignments/${newId()}`],
  ])('%s %s returns 403 for everyone but the operator', async (method, path) => {
    const target = `${method} ${BASE}${path}`;
    expect((await ask(target, { token: 'nonsense' })).status).toBe(401);
    const refused = await ask(target, method === 'GET' || method === 'DELETE' ? {} : { body: {} });
    expect([refused.status, refused.body.error]).toEqual([403, 'Forbidden']);
  });
});

describe('the catalog', () => {
  it('creates a service from the required fields and shows all of them', async () => {
    const made = await asked(`POST ${BASE}`, { body: { code: 'SYNC', name_en: 'Sync', price_sar: 99.5 } });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        code: 'SYNC',
        name_en: 'Sync',
        name_ar: 'Sync',
        description: '',
        price_sar: 99.5,
        vat_percent: 15,
        billing_cycle: 'monthly',
        is_active: true,
        metadata: {},
        assets: [],
        created: expect.any(String),
        updated: expect.any(String),
      },
    ]);
    const { body } = await asked(`GET ${BASE}`);
    expect(body.items[0]).toEqual(made.body);
    expect(body.total_items).toBe(body.items.length);
    expect(Object.keys(body)).toEqual(['items', 'total_items']);
    expect(await auditOf(made.body.id)).toEqual([
      expect.objectContaining({
        organization_id: '00000000-0000-0000-0000-000000000000',
        actor_kind: 'operator',
        action: 'create',
      }),
    ]);
  });

  it('accepts each code once, also from twenty concurrent requests', async () => {
    const body = { code: 'TWICE', name_en: 'Sync', price_sar: 1 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => asked(`POST ${BASE}`, { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toEqual({ code: 409, error: 'Service code already exists', details: { code: 'TWICE' } });
  });

  it('creates one service when a request is repeated with its idempotency key', async () => {
    const request = {
      headers: { 'idempotency-key': newId() },
      body: { code: 'ONCE', name_en: 'Sync', price_sar: 1 },
    };
    const [first, second] = [await asked(`POST ${BASE}`, request), await asked(`POST ${BASE}`, request)];
    expect([second.status, second.headers.get('idempotency-hit'), second.body]).toEqual([201, 'true', first.body]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no code', { code: undefined }, 'code'],
    ['a code with a space', { code: 'A B' }, 'code'],
    ['a blank name', { name_en: ' ' }, 'name_en'],
    ['no price', { price_sar: undefined }, 'price_sar'],
    ['a price of nothing', { price_sar: 0 }, 'price_sar'],
    ['a price below nothing', { price_sar: -1 }, 'price_sar'],
    ['a part of a halala', { price_sar: 1.005 }, 'price_sar'],
    ['a sliver of a halala', { price_sar: 1e-7 }, 'price_sar'],
    ['more than there is', { price_sar: 1e9 + 1 }, 'price_sar'],
    ['a price in text', { price_sar: '10' }, 'price_sar'],
    ['more VAT than the price', { vat_percent: 101 }, 'vat_percent'],
    ['VAT in slivers', { vat_percent: 15.001 }, 'vat_percent'],
    ['an unknown cycle', { billing_cycle: 'weekly' }, 'billing_cycle'],
    ['a list as metadata', { metadata: [] }, 'metadata'],
    ['a book as metadata', { metadata: { book: 'x'.repeat(17_000) } }, 'metadata'],
  ])('422: %s', async (_what, fields, field) => {
    const body = { code: `BAD-${newId()}`, name_en: 'Sync', price_sar: 1, ...fields };
    const { status, body: refused } = await asked(`POST ${BASE}`, { body });
    expect([status, refused.error, Object.keys(refused.details)]).toEqual([422, 'Validation failed', [field]]);
  });

  it('changes only the fields in the request', async () => {
    const made = await newService({ metadata: { a: 1 }, vat_percent: 5 });
    const change = { price_sar: 0.07, metadata: { b: [2] }, is_active: false, name_ar: 'مزامنة' };
    const { status, body } = await asked(`PATCH ${BASE}/${made.id}`, { body: change });
    expect([status, body]).toEqual([200, { ...made, ...change, updated: expect.any(String) }]);
    expect(body.updated).not.toBe(made.updated);
    expect((await auditOf(made.id)).at(-1)?.changed_fields).toEqual(['name_ar', 'price_sar', 'is_active', 'metadata']);
    const again = await asked(`PATCH ${BASE}/${made.id}`, { body: change });
    expect(again.body).toEqual(body);
    expect(await auditOf(made.id)).toHaveLength(2);
  });

  it('rejects changes of unknown services, codes in use and invalid values', async () => {
    const [one, other] = [await newService(), await newService()];
    for (const id of [newId(), 'nonsense']) {
      const { status, body } = await asked(`PATCH ${BASE}/${id}`, { body: { price_sar: 1 } });
      expect([status, body]).toEqual([404, { code: 404, error: 'Service not found', details: { id } }]);
    }
    const taken = await asked(`PATCH ${BASE}/${one.id}`, { body: { code: other.code } });
    expect([taken.status, taken.body.error]).toEqual([409, 'Service code already exists']);
    for (const body of [{ price_sar: 1.001 }, { price_sar: null }, { vat_percent: -1 }, { colour: 'red' }]) {
      expect((await asked(`PATCH ${BASE}/${one.id}`, { body })).status).toBe(422);
    }
  });
});

describe('assets', () => {
  const add = (id: string, raw: FormData, headers: Record<string, string> = {}) =>
    asked(`POST ${BASE}/${id}/assets`, { raw, headers });

  it('are stored, listed, downloaded by operators only and removed with their files', async () => {
    const { id } = await newService();
    const before = await listStoredFiles(service.dataDir);
    const added = await add(id, formOf({ file: png(), name: 'شعار.png' }));
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'شعار.png',
        content_type: 'image/png',
        size_bytes: 100,
        created: expect.any(String),
        url: `/api/v1${BASE}/${id}/assets/${added.body.id}`,
      },
    ]);
    const second = await add(id, formOf({ file: PDF }));
    expect(second.body).toMatchObject({ name: 'picture.png', content_type: 'application/pdf' });
    const { body } = await asked(`GET ${BASE}`);
    const listed = body.items.find((one: { id: string }) => one.id === id);
    expect(listed.assets).toEqual([added.body, second.body]);

    const fetched = await fetch(service.baseUrl + added.body.url, {
      headers: { authorization: `Bearer ${operator.token}` },
    });
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(png());
    const { headers } = fetched;
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''%D8%B4%D8%B9");
    expect((await ask(`GET ${added.body.url}`)).status).toBe(403);
    expect((await fetch(service.baseUrl + added.body.url)).status).toBe(401);

    const stored = (await listStoredFiles(service.dataDir)).filter((file) => !before.includes(file));
    expect(stored).toHaveLength(2);
    // The public URL of files returns 404 for them, also with the right name.
    for (const file of stored) expect((await ask(`GET /files/${file}`)).status).toBe(404);

    const removed = await asked(`DELETE ${added.body.url.replace('/api/v1', '')}`);
    expect([removed.status, removed.body]).toEqual([200, added.body]);
    expect((await asked(`GET ${added.body.url}`)).status).toBe(404);
    expect((await asked(`DELETE ${added.body.url}`)).status).toBe(404);
    expect(await listStoredFiles(service.dataDir)).toHaveLength(before.length + 1);
    expect((await auditOf(id)).map((entry) => entry.changed_fields)).toEqual([[], ['assets'], ['assets'], ['assets']]);
  });

  it('leave no file behind when they are rejected', async () => {
    const { id } = await newService();
    const before = await listStoredFiles(service.dataDir);
    const tooLarge = await add(id, formOf({ file: jpeg(10 * 1024 * 1024 + 1) }));
    expect([tooLarge.status, tooLarge.body.details]).toEqual([400, { file: 'The file is larger than 10485760 bytes' }]);
    const two = await add(id, formOf({ file: [png(), png()] }));
    expect([two.status, two.body.details]).toEqual([400, { file: 'only one file is allowed' }]);
    for (const [form, details] of [
      [formOf({ file: Buffer.from('<html>') }), { file: 'The file must be pdf, jpg, png, webp or gif' }],
      [formOf({ file: Buffer.alloc(0) }), { file: 'The file is empty' }],
      [formOf({ name: 'x' }), { file: 'is required' }],
      [formOf({ file: 'some text' }), { file: 'must be a file' }],
      [formOf({ file: png(), name: 'x'.repeat(201) }), { name: 'must have at most 200 characters' }],
    ] as const) {
      const { status, body } = await add(id, form);
      expect([status, body.details]).toEqual([422, details]);
    }
    expect((await asked(`POST ${BASE}/${id}/assets`, { body: { file: 'x' } })).status).toBe(422);
    expect((await asked(`POST ${BASE}/${id}/assets`)).status).toBe(422);
    for (const nowhere of [newId(), 'nonsense']) {
      expect((await add(nowhere, formOf({ file: png() }))).body.error).toBe('Service not found');
    }
    expect(await listStoredFiles(service.dataDir)).toEqual(before);
  });

  it('are limited to twenty under concurrency, and a repeated idempotency key adds one', async () => {
    const { id } = await newService();
    const before = (await listStoredFiles(service.dataDir)).length;
    const key = { 'idempotency-key': newId() };
    const repeated = await Promise.all(Array.from({ length: 3 }, () => add(id, formOf({ file: png() }), key)));
    expect(new Set(repeated.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const many = await Promise.all(Array.from({ length: 21 }, () => add(id, formOf({ file: png() }))));
    expect(many.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(201), 409, 409]);
    expect(many.find(({ status }) => status === 409)?.body).toMatchObject({
      error: 'Too many assets',
      details: { limit: 20 },
    });
    expect(await listStoredFiles(service.dataDir)).toHaveLength(before + 20);
  });
});

describe('assignments', () => {
  const assign = (body: unknown, headers?: Record<string, string>) => asked(`POST ${BASE}/assign`, { body, headers });

  it('give an install one service, which can be changed and ended', async () => {
    const [one, other] = [await newService({ price_sar: 20.25 }), await newService({ price_sar: 30 })];
    const made = await assign({ organization_app_id: app, service_id: one.id });
    const row = {
      organization_app_id: app,
      organization_id: shop.id,
      service_id: one.id,
      price_sar: 20.25,
      quantity: 1,
      status: 'active',
      starts_at: expect.any(String),
      created: expect.any(String),
      updated: expect.any(String),
    };
    expect([made.status, made.body]).toEqual([201, row]);
    const second = await assign({ organization_app_id: app, service_id: other.id });
    expect([second.status, second.body.error]).toEqual([409, 'App already has a service']);

    const at = `${BASE}/assignments/${app}`;
    const changed = await asked(`PATCH ${at}`, { body: { quantity: 3, starts_at: '2026-12-01T00:00:00+03:00' } });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...row, quantity: 3, starts_at: '2026-11-30T21:00:00.000Z' },
    ]);
    const moved = await asked(`PATCH ${at}`, { body: { service_id: other.id } });
    expect(moved.body).toMatchObject({ service_id: other.id, price_sar: 30, quantity: 3 });
    // A catalog price is where an assignment begins; it does not follow.
    await asked(`PATCH ${BASE}/${other.id}`, { body: { price_sar: 31 } });
    const { body: listed } = await asked(`GET ${BASE}/assignments`);
    expect(listed).toEqual({ items: [moved.body], total_items: 1 });
    const priced = await asked(`PATCH ${at}`, { body: { price_sar: 25.5, status: 'paused' } });
    expect(priced.body).toMatchObject({ price_sar: 25.5, status: 'paused' });
    expect(await listChargeableAssignments(sql, shop.id)).toEqual([]);

    const ended = await asked(`DELETE ${at}`);
    expect([ended.status, ended.body]).toEqual([200, priced.body]);
    expect((await asked(`DELETE ${at}`)).status).toBe(404);
    expect((await asked(`PATCH ${at}`, { body: { quantity: 1 } })).body.error).toBe('Assignment not found');
    expect((await auditOf(app)).slice(1)).toEqual([
      expect.objectContaining({ organization_id: shop.id, actor_kind: 'operator', action: 'assign-service' }),
      expect.objectContaining({ action: 'update-service', changed_fields: ['quantity', 'starts_at'] }),
      expect.objectContaining({ action: 'update-service', changed_fields: ['service_id', 'price_sar'] }),
      expect.objectContaining({ action: 'update-service', changed_fields: ['price_sar', 'status'] }),
      expect.objectContaining({ action: 'unassign-service', resource: 'Apps' }),
    ]);
  });

  it('reject unknown installs and services, inactive services and invalid values', async () => {
    const offered = await newService();
    const gone = await newService({ is_active: false });
    const body = { organization_app_id: app, service_id: offered.id };
    for (const id of [newId(), 'nonsense']) {
      expect((await assign({ ...body, organization_app_id: id })).body).toMatchObject({
        code: 404,
        error: 'App not found',
      });
      expect((await assign({ ...body, service_id: id })).body).toMatchObject({ code: 404, error: 'Service not found' });
      expect((await asked(`PATCH ${BASE}/assignments/${id}`, { body: { quantity: 1 } })).status).toBe(404);
      expect((await asked(`DELETE ${BASE}/assignments/${id}`)).status).toBe(404);
    }
    const inactive = await assign({ ...body, service_id: gone.id });
    expect([inactive.status, inactive.body.details]).toEqual([422, { service_id: 'is a service that is not active' }]);
    for (const wrong of [
      { quantity: 0 },
      { quantity: 1.5 },
      { price_sar: 0 },
      { price_sar: 0.001 },
      { starts_at: 'soon' },
      { service_id: undefined },
    ]) {
      expect((await assign({ ...body, ...wrong })).status, JSON.stringify(wrong)).toBe(422);
    }
    expect((await asked(`GET ${BASE}/assignments?organization_id=x`)).status).toBe(400);
  });

  it('are created once by concurrent requests', async () => {
    const { id } = await newService();
    const body = { organization_app_id: await install(), service_id: id };
    const answers = await Promise.all(Array.from({ length: 20 }, () => assign(body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
    const key = { 'idempotency-key': newId() };
    const another = { organization_app_id: await install(), service_id: id };
    const repeated = await Promise.all(Array.from({ length: 20 }, () => assign(another, key)));
    expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([201]));
  });

  it('are charged while they are active and their app is installed', async () => {
    const other = await testOrganization(sql);
    const yearly = await newService({ billing_cycle: 'yearly', price_sar: 1800, vat_percent: 5 });
    const [kept, removed, paused] = [
      await install(other.owner.token),
      await install(other.owner.token),
      await install(other.owner.token),
    ];
    const starts_at = '2026-01-01T00:00:00.000Z';
    for (const organization_app_id of [kept, removed, paused]) {
      await assign({ organization_app_id, service_id: yearly.id, quantity: 2, price_sar: 1700.5, starts_at });
    }
    await asked(`PATCH ${BASE}/assignments/${paused}`, { body: { status: 'paused' } });
    await ask(`DELETE /apps/${removed}`, { token: other.owner.token });
    // No longer offered, and still paid for by who has it.
    await asked(`PATCH ${BASE}/${yearly.id}`, { body: { is_active: false } });
    expect(await listChargeableAssignments(sql, other.id)).toEqual([
      {
        organizationAppId: kept,
        serviceId: yearly.id,
        serviceCode: yearly.code,
        priceSar: '1700.50',
        vatPercent: '5.00',
        quantity: 2,
        billingCycle: 'yearly',
        startsAt: new Date(starts_at),
      },
    ]);
    const { body } = await asked(`GET ${BASE}/assignments?organization_id=${other.id}&service_id=${yearly.id}`);
    expect(body.total_items).toBe(3);
    expect((await asked(`GET ${BASE}/assignments?organization_id=${newId()}`)).body).toEqual({
      items: [],
      total_items: 0,
    });
  });
});
