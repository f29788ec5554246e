import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { openShop, type Shop } from './testing/shop.ts';

let setting: Shop;
beforeAll(async () => {
  setting = await openShop();
});

const get: Shop['get'] = (path, token) => setting.get(path, token);
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
      organization_id: setting.shop.id,
      product_iv_id: 'PAN-500',
      branch_iv_id: 'RUH-01',
      branch_id: setting.branchIds.get('RUH-01'),
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
    expect((await get('/skus/PAN-500_RUH-01', setting.viewer.token)).status).toBe(200);
    expect((await get('/skus/PAN-500_JED-01', setting.confined.token)).status).toBe(200);
  });

  it('401 without a token', async () => {
    expect((await call(setting.service.baseUrl, 'GET /skus/PAN-500_RUH-01')).status).toBe(401);
  });

  it.each(['NOPE_RUH-01', 'x'.repeat(300), "'; drop table skus; --"])('404 for %j', async (ivId) => {
    const reply = await get(`/skus/${encodeURIComponent(ivId)}`);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'SKU not found', details: { iv_id: ivId } });
  });

  it("404 for another branch's SKU to a confined account, and for another tenant's", async () => {
    expect((await get('/skus/PAN-500_RUH-01', setting.confined.token)).status).toBe(404);
    expect((await get('/skus/MILK_1L_RUH-01', setting.other.owner.token)).status).toBe(404);
  });
});

describe('GET /skus', () => {
  it('200 in the list envelope with the exact total', async () => {
    const reply = await get('/skus?limit=4&page=2');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ count: 4, total_count: 9, page: 2, limit: 4, has_next: true, meta: {} });
    expect((await get('/skus?limit=4&page=3')).body).toMatchObject({ count: 1, has_next: false });
    expect((await get('/skus', setting.other.owner.token)).body).toMatchObject({ count: 1, total_count: 1 });
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

  it('derives low stock from the reorder threshold alone, regardless of the buffer', async () => {
    await setting.bulk([
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
    await setting.patch('PAN-500_JED-01', { price: 100 });
    expect(await listed('branch_iv_id=JED-01&sort=-price')).toEqual([
      'PAN-500_JED-01',
      'DATES_JED-01',
      'MILK_1L_JED-01',
    ]);
    await setting.patch('PAN-500_JED-01', { price: null });
    expect(await listed('branch_iv_id=JED-01&sort=price')).toEqual([
      'MILK_1L_JED-01',
      'PAN-500_JED-01',
      'DATES_JED-01',
    ]);
  });

  it('shows a confined account its branch alone, and counts no more', async () => {
    expect(await listed('sort=iv_id', setting.confined.token)).toEqual([
      'DATES_JED-01',
      'MILK_1L_JED-01',
      'PAN-500_JED-01',
    ]);
    expect((await get('/skus?limit=1', setting.confined.token)).body).toMatchObject({
      count: 1,
      total_count: 3,
      has_next: true,
    });
    expect(await listed('branch_iv_id=RUH-01', setting.confined.token)).toEqual([]);
    expect(await listed('search=ruh', setting.confined.token)).toEqual([]);
    expect(await listed('search=panadol', setting.confined.token)).toEqual(['PAN-500_JED-01']);
  });

  it.each([
    ['page=0', 'page'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['sort=organization_id', 'sort'],
    ['sort=--created', 'sort'],
    ['is_enabled=maybe', 'is_enabled'],
    ['low_stock=2', 'low_stock'],
    [`search=${'x'.repeat(256)}`, 'search'],
  ])('400 for %s', async (query, field) => {
    const reply = await get(`/skus?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.details).toHaveProperty(field);
  });
});
