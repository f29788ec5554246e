import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../../test/harness/index.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let setting: Shop;
beforeAll(async () => {
  setting = await openShop();
});

type Row = { sku_iv_id: string; price_before: number; price_after: number };
type Changed = {
  details: Record<string, string>;
  data: { applied: boolean; total: number; rows: Row[]; undo: { iv_id: string; price: number | null }[] | null };
};
const change = (body: unknown, options: { token?: string; headers?: Record<string, string> } = {}) =>
  call<Changed>(setting.service.baseUrl, 'POST /skus/price-changes', {
    token: setting.shop.owner.token,
    ...options,
    body,
  });
const pricesOf = async (ivId: string) => {
  const { body } = await setting.get(`/skus/${ivId}`);
  const { price, effective_price } = body as unknown as { price: number | null; effective_price: number };
  return [price, effective_price];
};
const newPrices = (rows: Row[]) => rows.map(({ price_after }) => price_after);

describe('POST /skus/price-changes', () => {
  it('previews with dry_run, sets the prices without it, and returns the own prices before for undo', async () => {
    await setting.patch('PAN-500_RUH-01', { price: 10 });
    const body = { percent: 7.5, filter: { product_iv_ids: ['PAN-500'] } };
    const preview = await change({ ...body, dry_run: true });
    expect(preview.status, preview.text).toBe(200);
    expect(preview.body.data).toMatchObject({ applied: false, total: 3, undo: null });
    expect(
      preview.body.data.rows.map(({ sku_iv_id, price_before, price_after }) => [sku_iv_id, price_before, price_after]),
    ).toEqual([
      ['PAN-500_DMM_02', 8.75, 9.41],
      ['PAN-500_JED-01', 8.75, 9.41],
      ['PAN-500_RUH-01', 10, 10.75],
    ]);
    expect(await pricesOf('PAN-500_JED-01')).toEqual([null, 8.75]);

    const applied = await change(body);
    expect(applied.body.data).toMatchObject({ applied: true, total: 3, rows: preview.body.data.rows });
    expect(await pricesOf('PAN-500_JED-01')).toEqual([9.41, 9.41]);
    expect(await pricesOf('PAN-500_RUH-01')).toEqual([10.75, 10.75]);
    await setting.bulk(applied.body.data.undo);
    expect(await pricesOf('PAN-500_JED-01')).toEqual([null, 8.75]);
    expect(await pricesOf('PAN-500_RUH-01')).toEqual([10, 10]);
    await setting.patch('PAN-500_RUH-01', { price: null });
  });

  it.each([
    ['none', 9.41],
    ['0.05', 9.4],
    ['0.25', 9.5],
    ['0.50', 9.5],
    ['1.00', 9],
  ])('rounds to %s', async (rounding, expected) => {
    const filter = { product_iv_ids: ['PAN-500'], branch_iv_ids: ['JED-01'] };
    expect(newPrices((await change({ percent: 7.5, rounding, filter, dry_run: true })).body.data.rows)).toEqual([
      expected,
    ]);
  });

  it('uses the digits of the currency, makes nothing free and skips prices that stay', async () => {
    const { sql } = setting.service;
    const filter = { product_iv_ids: ['DATES'], branch_iv_ids: ['JED-01'] };
    const preview = async (more: object) =>
      newPrices((await change({ filter, dry_run: true, ...more })).body.data.rows);
    await setting.patch('DATES_JED-01', { price: 0.2 });
    expect(await preview({ percent: -90, rounding: '1.00' })).toEqual([1]);
    await setting.patch('DATES_JED-01', { price: 1 });
    expect(await preview({ percent: -50, rounding: '1.00' })).toEqual([]);
    await setting.patch('DATES_JED-01', { price: 0 });
    expect(await preview({ percent: 500 })).toEqual([]);
    await setting.patch('DATES_JED-01', { price: 1.115 });
    await sql`update organizations set currency = 'KWD' where id = ${setting.shop.id}`;
    expect(await preview({ percent: 0.1 })).toEqual([1.116]);
    await sql`update organizations set currency = 'JPY' where id = ${setting.shop.id}`;
    expect(await preview({ percent: 100, rounding: '0.25' })).toEqual([2]);
    await sql`update organizations set currency = 'SAR' where id = ${setting.shop.id}`;
    await setting.patch('DATES_JED-01', { price: null });
  });

  it('returns 422 where a price would be higher than any may be, and changes none', async () => {
    const filter = { product_iv_ids: ['DATES'], branch_iv_ids: ['RUH-01', 'JED-01'] };
    await setting.patch('DATES_RUH-01', { price: 1e12 });
    for (const dry_run of [true, false]) {
      const { status, body } = await change({ percent: 0.01, filter, dry_run });
      expect([status, body.details]).toEqual([422, { percent: 'makes a price higher than 1000000000000' }]);
    }
    expect(await pricesOf('DATES_JED-01')).toEqual([null, 55]);
    await setting.patch('DATES_RUH-01', { price: null });
  });

  it('selects by category and brand', async () => {
    const { baseUrl } = setting.service;
    const ask = (target: string, body: unknown) =>
      call<{ data: { id: string } }>(baseUrl, target, { token: setting.shop.owner.token, body });
    const category_id = (await ask('POST /categories', { name_en: 'Dairy' })).body.data.id;
    const brand_id = (await ask('POST /brands', { name_en: 'Almarai' })).body.data.id;
    await ask('PATCH /products/code/MILK_1L', { category_id, brand_id });
    for (const filter of [{ category_id }, { brand_id }, { brand_id: brand_id.toUpperCase(), category_id }]) {
      expect((await change({ percent: 1, filter, dry_run: true })).body.data.total).toBe(3);
    }
    expect((await change({ percent: 10, filter: {}, dry_run: true })).body.data.total).toBe(9);
  });

  it('applies a repeated Idempotency-Key once and records one audit entry', async () => {
    const body = { percent: 10, filter: { product_iv_ids: ['MILK_1L'], branch_iv_ids: ['RUH-01'] } };
    const headers = { 'idempotency-key': 'raise-1' };
    const first = await change(body, { headers });
    const again = await change(body, { headers });
    expect(again.body).toEqual(first.body);
    expect(await pricesOf('MILK_1L_RUH-01')).toEqual([6.6, 6.6]);
    const rows = await setting.service.sql`
      select action, changed_fields from audit_entries where organization_id = ${setting.shop.id} and changed_fields = '{price}'
      order by at desc limit 1`;
    expect(rows).toMatchObject([{ action: 'update', changed_fields: ['price'] }]);
    await setting.patch('MILK_1L_RUH-01', { price: null });
  });

  it('returns 422 by field for invalid input, also for more than 20,000 SKUs', async () => {
    const filter = {};
    for (const [body, field] of [
      [{ percent: 7.125, filter }, 'percent'],
      [{ percent: -90.01, filter }, 'percent'],
      [{ percent: 501, filter }, 'percent'],
      [{ percent: 1, rounding: '0.10', filter }, 'rounding'],
      [{ percent: 1 }, 'filter'],
      [{ percent: 1, filter: { brand_id: 'x' } }, 'filter.brand_id'],
      [{ percent: 1, filter: { product_iv_ids: [] } }, 'filter.product_iv_ids'],
    ] as const) {
      const { status, body: answer } = await change(body);
      expect([status, Object.keys(answer.details)], JSON.stringify(body)).toEqual([422, [field]]);
    }
    const { sql } = setting.service;
    await sql`
      insert into products (organization_id, id, iv_id, average_price, created, updated)
      select ${setting.other.id}, gen_random_uuid(), 'M-' || n, 5, now(), now() from generate_series(1, 20001) n`;
    await sql`
      insert into skus (organization_id, product_id, branch_id, id, iv_id, created, updated)
      select p.organization_id, p.id, b.id, gen_random_uuid(), p.iv_id || '_M', now(), now()
      from products p join branches b on b.organization_id = p.organization_id
      where p.organization_id = ${setting.other.id} and p.iv_id like 'M-%'`;
    const { token } = setting.other.owner;
    expect((await change({ percent: 1, filter }, { token })).body.details).toEqual({
      filter: 'selects more than 20000 SKUs',
    });
    await sql`delete from skus where organization_id = ${setting.other.id} and iv_id in ('M-1_M', 'M-2_M')`;
    const large = await change({ percent: 10, filter }, { token });
    expect(large.body.data).toMatchObject({ applied: true, undo: null });
    expect(large.body.data.rows).toHaveLength(200);
    expect(large.body.data.total).toBeGreaterThan(19_990);
  });

  it('changes only its branch for a confined account, nothing for a viewer and for another organization', async () => {
    const body = { percent: 10, filter: { product_iv_ids: ['DATES'] }, dry_run: true };
    expect((await change(body, { token: setting.confined.token })).body.data.total).toBe(1);
    expect((await change(body, { token: setting.other.owner.token })).body.data.total).toBe(0);
    expect((await change(body, { token: setting.viewer.token })).status).toBe(403);
    expect((await change(body, { token: 'none' })).status).toBe(401);
  });
});
