import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { type Answer, BRANCHES, openShop, PRODUCTS, type Shop } from './testing/shop.ts';

let setting: Shop;
beforeAll(async () => {
  setting = await openShop();
});

const get: Shop['get'] = (path, token) => setting.get(path, token);
const patch: Shop['patch'] = (ivId, body, token) => setting.patch(ivId, body, token);
const bulk: Shop['bulk'] = (skus, token) => setting.bulk(skus, token);

describe('PATCH /skus/{ivId}', () => {
  it('200, changes what was sent and keeps the rest', async () => {
    setting.clock.advanceMs(60_000);
    const first = await patch('MILK_1L_RUH-01', { price: 6.5, current_qty: 12.5, reorder_threshold: 3, buffer: 1 });
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({
      success: true,
      message: 'SKU updated',
      timestamp: setting.clock.now().toISOString(),
    });
    expect(first.body.data).toMatchObject({
      iv_id: 'MILK_1L_RUH-01',
      price: 6.5,
      effective_price: 6.5,
      current_qty: 12.5,
      reorder_threshold: 3,
      buffer: 1,
      is_enabled: true,
      updated: setting.clock.now().toISOString(),
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
    setting.clock.advanceMs(60_000);
    const reply = await patch('MILK_1L_JED-01', {});
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(before);
  });

  it('422 for a patch that names nothing a SKU has', async () => {
    const reply = await patch('MILK_1L_JED-01', { qty: 5 });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toEqual({ qty: 'is not known here: did you mean current_qty?' });
  });

  it('200 for a confined account in its branch', async () => {
    expect((await patch('MILK_1L_JED-01', { current_qty: 7 }, setting.confined.token)).body.data.current_qty).toBe(7);
  });

  it('400 without a body or with a broken one', async () => {
    const token = setting.shop.owner.token;
    expect((await call(setting.service.baseUrl, 'PATCH /skus/MILK_1L_JED-01', { token })).status).toBe(400);
    const headers = { 'content-type': 'application/json' };
    expect(
      (await call(setting.service.baseUrl, 'PATCH /skus/MILK_1L_JED-01', { token, headers, raw: '{"price":' })).status,
    ).toBe(400);
  });

  it('403 for a viewer', async () => {
    expect((await patch('MILK_1L_JED-01', { current_qty: 1 }, setting.viewer.token)).status).toBe(403);
  });

  it("404 for what is not there, another branch's and another tenant's, and nothing changes", async () => {
    const before = (await get('/skus/MILK_1L_RUH-01')).body;
    expect((await patch('NOPE_RUH-01', { price: 1 })).status).toBe(404);
    expect((await patch('NOPE_RUH-01', {})).status).toBe(404);
    expect((await patch('MILK_1L_RUH-01', { price: 1 }, setting.confined.token)).status).toBe(404);
    expect((await patch('MILK_1L_RUH-01', { price: 1 }, setting.other.owner.token)).status).toBe(404);
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
    setting.clock.advanceMs(60_000);
    expect((await bulk([{ iv_id: 'PAN-500_DMM_02' }])).body.data).toEqual({ succeeded: 1, failed: 0, errors: {} });
    expect((await get('/skus/PAN-500_DMM_02')).body).toEqual(before);
  });

  it("200, and another branch's SKU is not found for a confined account", async () => {
    const reply = await bulk(
      [
        { iv_id: 'PAN-500_RUH-01', current_qty: 77 },
        { iv_id: 'PAN-500_JED-01', current_qty: 77 },
      ],
      setting.confined.token,
    );
    expect(reply.body.data).toEqual({ succeeded: 1, failed: 1, errors: { 'PAN-500_RUH-01': 'SKU not found' } });
    expect((await get('/skus/PAN-500_RUH-01')).body.current_qty).not.toBe(77);
  });

  it("never reaches another tenant's SKU of the same iv_id", async () => {
    await bulk([{ iv_id: 'PAN-500_RUH-01', current_qty: 1234 }], setting.other.owner.token);
    expect((await get('/skus/PAN-500_RUH-01')).body.current_qty).not.toBe(1234);
    expect((await get('/skus/PAN-500_RUH-01', setting.other.owner.token)).body.current_qty).toBe(1234);
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
    expect((await bulk([{ iv_id: 'PAN-500_RUH-01' }], setting.viewer.token)).status).toBe(403);
  });

  it.each([
    [{ mode: 'create', skus: [{ iv_id: 'a' }] }, 'mode'],
    [{ skus: [{ iv_id: 'a' }] }, 'mode'],
    [{ mode: 'update' }, 'skus'],
    [{ mode: 'update', skus: [] }, 'skus'],
    [{ mode: 'update', skus: { iv_id: 'a' } }, 'skus'],
    [[], 'body'],
  ])('422 for %j', async (body, field) => {
    const reply = await call<Answer>(setting.service.baseUrl, 'POST /skus/bulk', {
      token: setting.shop.owner.token,
      body,
    });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toHaveProperty(field);
  });
});
