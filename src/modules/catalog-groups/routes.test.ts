import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestAccount,
  type TestOrganization,
  testAccount,
  testOrganization,
  testShop,
} from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { MAX_GROUPS } from './enforce-group-limit.ts';

const { service, shop, ask } = await testShop();
let neighbour: TestOrganization;
let viewer: TestAccount;

beforeAll(async () => {
  neighbour = await testOrganization(service.sql);
  viewer = await testAccount(service.sql, shop.id, 'viewer');
});

const as = (account: { token: string }, target: string, body?: unknown) => ask(target, { token: account.token, body });
const asOwner = (target: string, body?: unknown) => as(shop.owner, target, body);

describe.each([
  { path: '/brands', noun: 'Brand', reference: 'brand_id' },
  { path: '/categories', noun: 'Category', reference: 'category_id' },
])('$path', ({ path, noun, reference }) => {
  async function create(names: Record<string, unknown> = { name_en: 'Almarai', name_ar: 'المراعي' }): Promise<string> {
    const { status, body } = await asOwner(`POST ${path}`, names);
    expect(status).toBe(201);
    return String(body.data.id);
  }

  it('409: one more than an organization may have, exactly, also when they come at once', async () => {
    const full = await testOrganization(service.sql);
    await service.sql`
      insert into ${service.sql(path.slice(1))} (organization_id, id, name_en, name_ar, search_text, created, updated)
      select ${full.id}, gen_random_uuid(), 'n', '', '', now(), now() from generate_series(1, ${MAX_GROUPS - 2})`;
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => as(full.owner, `POST ${path}`, { name_en: 'x' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body).toEqual({
      code: 409,
      error: `Too many ${path.slice(1)}`,
      details: { limit: MAX_GROUPS },
    });
    await create();
  });

  it('201 with the row, and reads it back', async () => {
    const created = await asOwner(`POST ${path}`, { name_en: 'Almarai', name_ar: 'المراعي', logo: 'ignored' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      success: true,
      message: `${noun} created`,
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name_en: 'Almarai',
        name_ar: 'المراعي',
        created: expect.any(String),
        updated: created.body.data.created,
      },
      timestamp: expect.any(String),
    });
    const read = await as(viewer, `GET ${path}/${created.body.data.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body.data);
  });

  it('201 with one name, in either language', async () => {
    for (const names of [{ name_en: 'Nadec' }, { name_ar: 'نادك', name_en: null }]) {
      const id = await create(names);
      expect((await asOwner(`GET ${path}/${id}`)).body).toMatchObject({
        name_en: names.name_en ?? '',
        name_ar: names.name_ar ?? '',
      });
    }
  });

  it('201 once for an Idempotency-Key', async () => {
    const options = {
      token: shop.owner.token,
      body: { name_en: 'Once' },
      headers: { 'idempotency-key': `once ${path}`.replaceAll(' ', '-') },
    };
    const first = await call(service.baseUrl, `POST ${path}`, options);
    const second = await call(service.baseUrl, `POST ${path}`, options);
    expect(second.text).toBe(first.text);
    expect((await asOwner(`GET ${path}?search=once`)).body.total_count).toBe(1);
  });

  it.each([
    ['no name', {}, { name_en: 'is required unless name_ar is given' }],
    ['blank names', { name_en: ' ', name_ar: '' }, { name_en: 'is required unless name_ar is given' }],
    ['a long name', { name_en: 'x'.repeat(256) }, { name_en: 'must have at most 255 characters' }],
    ['a number', { name_en: 5 }, { name_en: 'must be a string or null' }],
  ])('422 for %s, when created and when replaced', async (_name, given, details) => {
    const id = await create();
    for (const target of [`POST ${path}`, `PUT ${path}/${id}`]) {
      const { status, body } = await asOwner(target, given);
      expect(status).toBe(422);
      expect(body).toEqual({ code: 422, error: 'Validation failed', details });
    }
  });

  it('200 replaces both names', async () => {
    const id = await create();
    const before = (await asOwner(`GET ${path}/${id}`)).body;
    const { status, body } = await asOwner(`PUT ${path}/${id}`, { name_ar: 'جديد' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, message: `${noun} updated` });
    expect(body.data).toEqual({ ...before, name_en: '', name_ar: 'جديد', updated: body.data.updated });
    expect((await asOwner(`GET ${path}/${id}`)).body).toEqual(body.data);
    expect((await asOwner(`GET ${path}?search=${encodeURIComponent('جديد')}`)).body.data).toEqual([body.data]);
  });

  it('lists in the branch envelope, with paging, search and sort', async () => {
    const { owner } = await testOrganization(service.sql);
    for (const name of ['Beta', 'alpha', 'Gamma']) await as(owner, `POST ${path}`, { name_en: name, name_ar: 'أحمد' });
    const names = (reply: Awaited<ReturnType<typeof as>>) =>
      reply.body.data.map((row: { name_en: string }) => row.name_en);

    const first = await as(owner, `GET ${path}?limit=2`);
    expect(first.body).toMatchObject({ count: 2, total_count: 3, page: 1, limit: 2, has_next: true, meta: {} });
    expect(names(first)).toEqual(['Gamma', 'alpha']);
    const second = await as(owner, `GET ${path}?limit=2&page=2`);
    expect(second.body).toMatchObject({ count: 1, total_count: 3, page: 2, has_next: false });
    expect(names(await as(owner, `GET ${path}?sort=name_en`))).toEqual(['Beta', 'Gamma', 'alpha']);
    expect(names(await as(owner, `GET ${path}?sort=created`))).toEqual(['Beta', 'alpha', 'Gamma']);
    expect(names(await as(owner, `GET ${path}?search=ALP`))).toEqual(['alpha']);
    expect((await as(owner, `GET ${path}?search=${encodeURIComponent('احمد')}`)).body.total_count).toBe(3);
    expect((await as(owner, `GET ${path}?search=%25`)).body.total_count).toBe(0);
  });

  it.each(['page=0', 'limit=101', 'limit=x', 'sort=id', `search=${'x'.repeat(256)}`])('400 for ?%s', async (query) => {
    const { status, body } = await asOwner(`GET ${path}?${query}`);
    expect(status).toBe(400);
    expect(Object.keys(body.details)).toEqual([query.split('=')[0]]);
  });

  it('returns 412 with the current names when If-Match names an earlier version', async () => {
    const id = await create();
    const read = await asOwner(`GET ${path}/${id}`);
    const headers = { 'if-match': String(read.headers.get('etag')) };
    const rename = (name_en: string) =>
      call(service.baseUrl, `PUT ${path}/${id}`, { token: shop.owner.token, headers, body: { name_en } });
    expect((await rename('First')).status).toBe(200);
    const { status, body } = await rename('Second');
    expect(status).toBe(412);
    expect(body.details.current).toMatchObject({ id, name_en: 'First' });
  });

  it('204 removes one that nothing uses; then it is 404', async () => {
    const id = await create();
    const { status, text } = await asOwner(`DELETE ${path}/${id}`);
    expect([status, text]).toEqual([204, '']);
    for (const target of [`GET ${path}/${id}`, `PUT ${path}/${id}`, `DELETE ${path}/${id}`]) {
      const reply = await asOwner(target, target.startsWith('PUT') ? { name_en: 'x' } : undefined);
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual({ code: 404, error: `${noun} not found`, details: { id } });
    }
  });

  it('409 while a product uses it, and no longer once that is deleted', async () => {
    const id = await create();
    const ivId = `uses-${noun}`;
    await asOwner('POST /products', { iv_id: ivId, [reference]: id.toUpperCase() });
    await asOwner('POST /products', { iv_id: `${ivId}-too`, [reference]: id });
    const refused = await asOwner(`DELETE ${path}/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({ code: 409, error: `${noun} is used by products`, details: { id, products: 2 } });
    await asOwner(`DELETE /products/code/${ivId}?force=true`);
    await asOwner(`PUT /products/code/${ivId}-too`, {});
    expect((await asOwner(`DELETE ${path}/${id}`)).status).toBe(204);
  });

  it('never leaves a product with a deleted group, in either order of writes', async () => {
    const id = await create();
    const creating = Array.from({ length: 8 }, (_, index) =>
      asOwner('POST /products', { iv_id: `race-${noun}-${index}`, [reference]: id }),
    );
    const [removed, ...created] = await Promise.all([asOwner(`DELETE ${path}/${id}`), ...creating]);
    const statuses = created.map((reply) => reply.status);
    if (removed.status === 204) expect(statuses).toEqual(Array(8).fill(422));
    else expect([removed.status, ...new Set(statuses)]).toEqual([409, 201]);
  });

  it('404 for an id that is none, and for that of another organization', async () => {
    const id = await create();
    for (const [account, wanted] of [
      [shop.owner, 'not-an-id'],
      [shop.owner, newId()],
      [neighbour.owner, id],
    ] as const) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { name_en: 'x' } : undefined;
        expect((await as(account, `${method} ${path}/${wanted}`, body)).status).toBe(404);
      }
    }
    expect((await asOwner(`GET ${path}/${id}`)).body.name_en).toBe('Almarai');
  });

  it('403 for writes of a viewer and of an account confined to a branch', async () => {
    const id = await create();
    const branch = await asOwner('POST /branches', { iv_id: `for-${noun}` });
    const confined = await testAccount(service.sql, shop.id, 'member', { branchId: String(branch.body.data.id) });
    for (const account of [viewer, confined]) {
      expect((await as(account, `GET ${path}/${id}`)).status).toBe(200);
      expect((await as(account, `POST ${path}`, { name_en: 'x' })).status).toBe(403);
      expect((await as(account, `PUT ${path}/${id}`, { name_en: 'x' })).status).toBe(403);
      expect((await as(account, `DELETE ${path}/${id}`)).status).toBe(403);
    }
    expect((await call(service.baseUrl, `GET ${path}`)).status).toBe(401);
  });
});
