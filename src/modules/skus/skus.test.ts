import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { seedCatalog } from './catalog.fixture.ts';

const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
let service: TestService;
let shop: TestOrganization;
let other: TestOrganization;
let viewer: TestAccount;
let confined: TestAccount;
let branchIds: Map<string, string>;

const PRODUCTS = [
  { iv_id: 'PAN-500', name_en: 'Panadol Extra', name_ar: 'بنادول إكسترا', average_price: 8.75 },
  { iv_id: 'MILK_1L', name_en: 'Fresh Milk', name_ar: 'حليب طازج', average_price: 6 },
  { iv_id: 'DATES', name_en: 'Ajwa Dates', name_ar: 'تمر عجوة', average_price: 55 },
];
const BRANCHES = ['RUH-01', 'JED-01', 'DMM_02'];

beforeAll(async () => {
  service = await testService({}, { clock });
  shop = await testOrganization(service.sql);
  other = await testOrganization(service.sql);
  ({ branchIds } = await seedCatalog(
    service.sql,
    shop.id,
    { products: PRODUCTS, branches: BRANCHES },
    new Date('2026-11-01T00:00:00Z'),
  ));
  await seedCatalog(service.sql, other.id, { products: [{ iv_id: 'PAN-500' }], branches: ['RUH-01'] });
  viewer = await testAccount(service.sql, shop.id, 'viewer');
  confined = await testAccount(service.sql, shop.id, 'member', { branchId: branchIds.get('JED-01') });
});

/** Whatever a SKU route may answer; each test reads the part that its answer has. */
type Answer = {
  code: number;
  details: Record<string, string>;
  data: Record<string, unknown> & { errors: Record<string, string> };
  total_count: number;
  current_qty: number;
};

const get = (path: string, token = shop.owner.token) => call<Answer>(service.baseUrl, `GET ${path}`, { token });
const patch = (ivId: string, body: unknown, token = shop.owner.token) =>
  call<Answer>(service.baseUrl, `PATCH /skus/${encodeURIComponent(ivId)}`, { token, body });
const bulk = (skus: unknown, token = shop.owner.token) =>
  call<Answer>(service.baseUrl, 'POST /skus/bulk', { token, body: { mode: 'update', skus } });
const listed = async (query: string, token?: string) => {
  const reply = await get(`/skus?${query}`, token);
  expect(reply.status, reply.text).toBe(200);
  return (reply.body.data as unknown as { iv_id: string }[]).map((sku) => sku.iv_id);
};

describe('GET /skus/{ivId}', () => {
  it('200 with every field, names and price from the product', async () => {
    const reply = await get('/skus/PAN-500_RUH-01');
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual([
      'id',
      'iv_id',
      'organization_id',
      'product_id',
      'product_iv_id',
      'branch_id',
      'branch_iv_id',
      'name_en',
      'name_ar',
      'price',
      'effective_price',
      'current_qty',
      'reorder_threshold',
      'buffer',
      'is_enabled',
      'created',
      'updated',
    ]);
    expect(reply.body).toMatchObject({
      iv_id: 'PAN-500_RUH-01',
      organization_id: shop.id,
      product_iv_id: 'PAN-500',
      branch_iv_id: 'RUH-01',
      branch_id: branchIds.get('RUH-01'),
      name_en: 'Panadol Extra',
      name_ar: 'بنادول إكسترا',
      price: null,
      effective_price: 8.75,
      current_qty: 0,
      reorder_threshold: 0,
      buffer: 0,
      is_enabled: true,
      created: '2026-11-01T00:00:00.000Z',
    });
  });

  it('200 for a viewer, and for a confined account in its branch', async () => {
    expect((await get('/skus/PAN-500_RUH-01', viewer.token)).status).toBe(200);
    expect((await get('/skus/PAN-500_JED-01', confined.token)).status).toBe(200);
  });

  it('401 without a token', async () => {
    expect((await call(service.baseUrl, 'GET /skus/PAN-500_RUH-01')).status).toBe(401);
  });

  it.each(['NOPE_RUH-01', 'x'.repeat(300), "'; drop table skus; --"])('404 for %j', async (ivId) => {
    const reply = await get(`/skus/${encodeURIComponent(ivId)}`);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'SKU not found', details: { iv_id: ivId } });
  });

  it("404 for another branch's SKU to a confined account, and for another tenant's", async () => {
    expect((await get('/skus/PAN-500_RUH-01', confined.token)).status).toBe(404);
    expect((await get('/skus/MILK_1L_RUH-01', other.owner.token)).status).toBe(404);
  });
});

describe('GET /skus', () => {
  it('200 in the list envelope with the exact total', async () => {
    const reply = await get('/skus?limit=4&page=2');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ count: 4, total_count: 9, page: 2, limit: 4, has_next: true, meta: {} });
    expect((await get('/skus?limit=4&page=3')).body).toMatchObject({ count: 1, has_next: false });
    expect((await get('/skus', other.owner.token)).body).toMatchObject({ count: 1, total_count: 1 });
  });

  it('pages through every SKU once although all share one creation time', async () => {
    for (const sort of ['-created', 'created', 'name_en', '-price', 'iv_id', 'current_qty', '-updated', 'name_ar']) {
      const seen: string[] = [];
      for (let page = 1; page <= 5; page += 1) seen.push(...(await listed(`limit=2&page=${page}&sort=${sort}`)));
      expect(new Set(seen).size, sort).toBe(9);
      expect(seen, sort).toHaveLength(9);
    }
  });

  it.each([
    ['product_iv_id=PAN-500', ['PAN-500_DMM_02', 'PAN-500_JED-01', 'PAN-500_RUH-01']],
    ['branch_iv_id=RUH-01', ['DATES_RUH-01', 'MILK_1L_RUH-01', 'PAN-500_RUH-01']],
    ['product_iv_id=DATES&branch_iv_id=JED-01', ['DATES_JED-01']],
    ['product_iv_id=NOPE', []],
    ['branch_iv_id=NOPE', []],
    ['is_enabled=false', []],
    ['search=panadol&branch_iv_id=JED-01', ['PAN-500_JED-01']],
    ['search=اكسترا&branch_iv_id=JED-01', ['PAN-500_JED-01']],
    ['search=AJWA%20dates&branch_iv_id=RUH-01', ['DATES_RUH-01']],
    ['search=MILK_1L_RUH-01', ['MILK_1L_RUH-01']],
    ['search=milk_1l_ruh', ['MILK_1L_RUH-01']],
    ['search=0_ruh', ['PAN-500_RUH-01']],
    ['search=pan-500_dmm_0', ['PAN-500_DMM_02']],
    ['search=_dmm_02', ['DATES_DMM_02', 'MILK_1L_DMM_02', 'PAN-500_DMM_02']],
    ['search=jed', ['DATES_JED-01', 'MILK_1L_JED-01', 'PAN-500_JED-01']],
    ['search=milk_1l_x', []],
    ['search=%25', []],
    ['search=n_p', []],
  ])('filters by %s', async (query, expected) => {
    const reply = await get(`/skus?sort=iv_id&${query}`);
    expect(reply.status, reply.text).toBe(200);
    expect((reply.body.data as unknown as { iv_id: string }[]).map((sku) => sku.iv_id)).toEqual(expected);
    expect(reply.body.total_count).toBe(expected.length);
  });

  it('takes a search that folds to nothing for none', async () => {
    expect(await listed('search=%20&limit=100')).toHaveLength(9);
  });

  it('tells low stock by the reorder threshold alone, whatever the buffer', async () => {
    await bulk([
      { iv_id: 'DATES_RUH-01', current_qty: 10, reorder_threshold: 10, buffer: 0 },
      { iv_id: 'DATES_JED-01', current_qty: 11, reorder_threshold: 10, buffer: 5 },
      { iv_id: 'DATES_DMM_02', current_qty: -1, reorder_threshold: 10 },
    ]);
    expect(await listed('low_stock=true&product_iv_id=DATES&sort=iv_id')).toEqual(['DATES_DMM_02', 'DATES_RUH-01']);
    expect(await listed('low_stock=false&product_iv_id=DATES')).toEqual(['DATES_JED-01']);
    expect(await listed('product_iv_id=DATES&sort=-current_qty')).toEqual([
      'DATES_JED-01',
      'DATES_RUH-01',
      'DATES_DMM_02',
    ]);
  });

  it('sorts by what a SKU really costs', async () => {
    await patch('PAN-500_JED-01', { price: 100 });
    expect(await listed('branch_iv_id=JED-01&sort=-price')).toEqual([
      'PAN-500_JED-01',
      'DATES_JED-01',
      'MILK_1L_JED-01',
    ]);
    await patch('PAN-500_JED-01', { price: null });
    expect(await listed('branch_iv_id=JED-01&sort=price')).toEqual([
      'MILK_1L_JED-01',
      'PAN-500_JED-01',
      'DATES_JED-01',
    ]);
  });

  it('shows a confined account its branch alone, and counts no more', async () => {
    expect(await listed('sort=iv_id', confined.token)).toEqual(['DATES_JED-01', 'MILK_1L_JED-01', 'PAN-500_JED-01']);
    expect((await get('/skus?limit=1', confined.token)).body).toMatchObject({
      count: 1,
      total_count: 3,
      has_next: true,
    });
    expect(await listed('branch_iv_id=RUH-01', confined.token)).toEqual([]);
    expect(await listed('search=ruh', confined.token)).toEqual([]);
    expect(await listed('search=panadol', confined.token)).toEqual(['PAN-500_JED-01']);
  });

  it.each([
    ['page=0', 'page'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['sort=organization_id', 'sort'],
    ['sort=--created', 'sort'],
    ['is_enabled=maybe', 'is_enabled'],
    ['low_stock=2', 'low_stock'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ])('400 for %s', async (query, field) => {
    const reply = await get(`/skus?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.details).toHaveProperty(field);
  });
});

describe('PATCH /skus/{ivId}', () => {
  it('200, changes what was sent and keeps the rest', async () => {
    clock.advanceMs(60_000);
    const first = await patch('MILK_1L_RUH-01', { price: 6.5, current_qty: 12.5, reorder_threshold: 3, buffer: 1 });
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({ success: true, message: 'SKU updated', timestamp: clock.now().toISOString() });
    expect(first.body.data).toMatchObject({
      iv_id: 'MILK_1L_RUH-01',
      price: 6.5,
      effective_price: 6.5,
      current_qty: 12.5,
      reorder_threshold: 3,
      buffer: 1,
      is_enabled: true,
      updated: clock.now().toISOString(),
    });
    const second = await patch('MILK_1L_RUH-01', {
      price: null,
      is_enabled: false,
      unknown: 'ignored',
      iv_id: 'other',
    });
    expect(second.body.data).toMatchObject({
      iv_id: 'MILK_1L_RUH-01',
      price: null,
      effective_price: 6,
      current_qty: 12.5,
      reorder_threshold: 3,
      is_enabled: false,
    });
    expect((await get('/skus/MILK_1L_RUH-01')).body).toEqual(second.body.data);
    await patch('MILK_1L_RUH-01', { is_enabled: true });
  });

  it('200 for an empty patch, which does not touch the time of the last change', async () => {
    const before = (await get('/skus/MILK_1L_JED-01')).body;
    clock.advanceMs(60_000);
    for (const body of [{}, { unknown: 1 }]) {
      const reply = await patch('MILK_1L_JED-01', body);
      expect(reply.status).toBe(200);
      expect(reply.body.data).toEqual(before);
    }
  });

  it('200 for a confined account in its branch', async () => {
    expect((await patch('MILK_1L_JED-01', { current_qty: 7 }, confined.token)).body.data.current_qty).toBe(7);
  });

  it('400 without a body or with a broken one', async () => {
    const token = shop.owner.token;
    expect((await call(service.baseUrl, 'PATCH /skus/MILK_1L_JED-01', { token })).status).toBe(400);
    const headers = { 'content-type': 'application/json' };
    expect(
      (await call(service.baseUrl, 'PATCH /skus/MILK_1L_JED-01', { token, headers, raw: '{"price":' })).status,
    ).toBe(400);
  });

  it('403 for a viewer', async () => {
    expect((await patch('MILK_1L_JED-01', { current_qty: 1 }, viewer.token)).status).toBe(403);
  });

  it("404 for what is not there, another branch's and another tenant's, and nothing changes", async () => {
    const before = (await get('/skus/MILK_1L_RUH-01')).body;
    expect((await patch('NOPE_RUH-01', { price: 1 })).status).toBe(404);
    expect((await patch('NOPE_RUH-01', {})).status).toBe(404);
    expect((await patch('MILK_1L_RUH-01', { price: 1 }, confined.token)).status).toBe(404);
    expect((await patch('MILK_1L_RUH-01', { price: 1 }, other.owner.token)).status).toBe(404);
    expect((await get('/skus/MILK_1L_RUH-01')).body).toEqual(before);
  });

  it.each([
    [{ price: -0.01 }, 'price'],
    [{ price: '5' }, 'price'],
    [{ price: 1e13 }, 'price'],
    [{ current_qty: null }, 'current_qty'],
    [{ current_qty: -2e12 }, 'current_qty'],
    [{ reorder_threshold: -1 }, 'reorder_threshold'],
    [{ buffer: -1 }, 'buffer'],
    [{ buffer: null }, 'buffer'],
    [{ is_enabled: 'true' }, 'is_enabled'],
  ])('422 for %j', async (body, field) => {
    const reply = await patch('MILK_1L_RUH-01', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ code: 422, error: 'Validation failed' });
    expect(Object.keys(reply.body.details)).toEqual([field]);
  });
});

describe('POST /skus/bulk', () => {
  it('200 with each failure by its iv_id or index, and the rest changed', async () => {
    const reply = await bulk([
      { iv_id: 'PAN-500_RUH-01', current_qty: 5, price: 9 },
      { iv_id: 'NOPE_RUH-01', current_qty: 5 },
      { current_qty: 5 },
      { iv_id: 'PAN-500_JED-01', price: -1, buffer: 'x' },
      'nonsense',
      null,
      { iv_id: '__proto__', price: 1 },
      { iv_id: '' },
    ]);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject({ success: true, message: '1 of 8 SKUs updated' });
    expect(JSON.parse(reply.text).data).toMatchObject({ succeeded: 1, failed: 7 });
    expect(Object.entries(reply.body.data.errors)).toEqual([
      ['#2', 'iv_id is required'],
      ['PAN-500_JED-01', 'price must be at least 0; buffer must be a number'],
      ['#4', 'must be an object'],
      ['#5', 'must be an object'],
      ['#7', 'iv_id must not be empty'],
      ['NOPE_RUH-01', 'SKU not found'],
      ['__proto__', 'SKU not found'],
    ]);
    expect((await get('/skus/PAN-500_RUH-01')).body).toMatchObject({ current_qty: 5, price: 9 });
  });

  it('applies an iv_id that comes twice in order: the last wins, field by field', async () => {
    const reply = await bulk([
      { iv_id: 'PAN-500_DMM_02', current_qty: 1, buffer: 2 },
      { iv_id: 'PAN-500_DMM_02', current_qty: 3, price: 4 },
      { iv_id: 'PAN-500_DMM_02', price: null },
      { iv_id: 'GONE_DMM_02' },
      { iv_id: 'GONE_DMM_02' },
    ]);
    expect(reply.body.data).toEqual({ succeeded: 3, failed: 2, errors: { GONE_DMM_02: 'SKU not found' } });
    expect((await get('/skus/PAN-500_DMM_02')).body).toMatchObject({ current_qty: 3, buffer: 2, price: null });
  });

  it('keeps what is absent, and the time of the last change of an item that says nothing', async () => {
    const before = (await get('/skus/PAN-500_DMM_02')).body;
    clock.advanceMs(60_000);
    expect((await bulk([{ iv_id: 'PAN-500_DMM_02' }])).body.data).toEqual({ succeeded: 1, failed: 0, errors: {} });
    expect((await get('/skus/PAN-500_DMM_02')).body).toEqual(before);
  });

  it("200, and another branch's SKU is not found for a confined account", async () => {
    const reply = await bulk(
      [
        { iv_id: 'PAN-500_RUH-01', current_qty: 77 },
        { iv_id: 'PAN-500_JED-01', current_qty: 77 },
      ],
      confined.token,
    );
    expect(reply.body.data).toEqual({ succeeded: 1, failed: 1, errors: { 'PAN-500_RUH-01': 'SKU not found' } });
    expect((await get('/skus/PAN-500_RUH-01')).body.current_qty).not.toBe(77);
  });

  it("never reaches another tenant's SKU of the same iv_id", async () => {
    await bulk([{ iv_id: 'PAN-500_RUH-01', current_qty: 1234 }], other.owner.token);
    expect((await get('/skus/PAN-500_RUH-01')).body.current_qty).not.toBe(1234);
    expect((await get('/skus/PAN-500_RUH-01', other.owner.token)).body.current_qty).toBe(1234);
  });

  it('200 for 1,000 items and 413 for 1,001', async () => {
    const items = Array.from({ length: 1001 }, (_, index) => ({ iv_id: `X${index}`, price: 1 }));
    expect((await bulk(items.slice(1))).body.data).toMatchObject({ succeeded: 0, failed: 1000 });
    const reply = await bulk(items);
    expect(reply.status).toBe(413);
    expect(reply.body.code).toBe(413);
  });

  it('does not lock up when two calls name the same SKUs in opposite order', async () => {
    const ivIds = PRODUCTS.flatMap((product) => BRANCHES.map((branch) => `${product.iv_id}_${branch}`));
    const forward = ivIds.map((iv_id, index) => ({ iv_id, current_qty: index }));
    const backward = forward.toReversed();
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => bulk(index % 2 ? forward : backward)));
    expect(replies.map((reply) => reply.body.data?.succeeded)).toEqual(Array.from({ length: 40 }, () => 9));
  });

  it('403 for a viewer', async () => {
    expect((await bulk([{ iv_id: 'PAN-500_RUH-01' }], viewer.token)).status).toBe(403);
  });

  it.each([
    [{ mode: 'create', skus: [{ iv_id: 'a' }] }, 'mode'],
    [{ skus: [{ iv_id: 'a' }] }, 'mode'],
    [{ mode: 'update' }, 'skus'],
    [{ mode: 'update', skus: [] }, 'skus'],
    [{ mode: 'update', skus: { iv_id: 'a' } }, 'skus'],
    [[], 'body'],
  ])('422 for %j', async (body, field) => {
    const reply = await call<Answer>(service.baseUrl, 'POST /skus/bulk', { token: shop.owner.token, body });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toHaveProperty(field);
  });
});
