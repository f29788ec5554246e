import { describe, expect, it } from 'vitest';
import { testAccount, testOrganization } from '../../../../test/harness/index.ts';
import { addDays } from '../../../platform/local-day.ts';
import { HEADER, openDemandShop, pastOf, TODAY } from '../testing/demand-shop.ts';

const shop = await openDemandShop();
const { service, ask, uploaded, clock } = shop;
const { sql } = service;
const organizationId = shop.shop.id;
const fresh = async (target = 'GET /analytics/sensy') => {
  await expect.poll(async () => (await ask(target)).body.stale).toBe(false);
  return (await ask(target)).body;
};
const confined = await testAccount(sql, organizationId, 'member', { branchId: shop.branchIds.get('JED-1') });

it('returns an empty, stale list at once before the first forecasts', async () => {
  const reply = await ask('GET /analytics/sensy');
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      organization_id: organizationId,
      range_days: 30,
      horizon: 14,
      fetched_at: clock.now().toISOString(),
      stale: true,
      items: [],
      totals: { skus: 0, at_risk: 0, out_of_stock: 0, to_order_now: 0, suggested_order_qty: 0 },
      count: 0,
      total_count: 0,
      page: 1,
      limit: 20,
      has_next: false,
    },
  ]);
  // Having been asked for, they are made, also where there is nothing to make them of.
  expect((await fresh()).items).toEqual([]);
});

describe('after an upload', () => {
  it('lists demand and stockout of each SKU, most at risk first', async () => {
    await uploaded(
      [
        HEADER,
        pastOf('SALT_RUH-1', 2, '500,0,0'),
        pastOf('MILK_RUH-1', 10, '30,12,4'),
        pastOf('MILK_JED-1', 4, '40,0,0'),
      ].join('\n'),
    );
    const { body } = await ask('GET /analytics/sensy');
    expect(body).toMatchObject({ stale: false, range_days: 30, horizon: 14, count: 3, total_count: 3 });
    expect(body.items.map((item: { sku_id: string }) => item.sku_id)).toEqual([
      'MILK_RUH-1',
      'MILK_JED-1',
      'SALT_RUH-1',
    ]);
    expect(body.totals).toMatchObject({ skus: 3, at_risk: 2, out_of_stock: 0 });
    const [milk] = body.items;
    expect(Object.keys(milk)).toEqual([
      'sku_id',
      'product_name_en',
      'product_name_ar',
      'branch_iv_id',
      'method',
      'demand_class',
      'history_days',
      'history_until',
      'used_qty',
      'forecast',
      'total_qty',
      'current_qty',
      'days_of_cover',
      'cover_p50_date',
      'cover_p10_date',
      'stockout_date',
      'stockout_probability',
      'reorder_threshold',
      'buffer',
      'lead_time_days',
      'service_level',
      'reorder_point',
      'suggested_order_date',
      'suggested_order_qty',
      'weekday_profile',
      'backtest',
      'explanation',
    ]);
    expect(milk).toMatchObject({
      product_name_en: 'Fresh Milk',
      product_name_ar: 'حليب طازج',
      branch_iv_id: 'RUH-1',
      demand_class: 'smooth',
      history_days: 120,
      history_until: '2026-11-15',
      current_qty: 30,
      reorder_threshold: 12,
      buffer: 4,
      lead_time_days: 7,
      service_level: 0.95,
      suggested_order_date: TODAY,
      stockout_probability: 1,
    });
    expect(milk.forecast.map((day: { date: string }) => day.date)).toEqual(
      Array.from({ length: 14 }, (_, day) => addDays(TODAY, day)),
    );
    for (const { qty, lo, hi } of milk.forecast) {
      expect(lo).toBeGreaterThanOrEqual(0);
      expect(hi).toBeGreaterThanOrEqual(lo);
      expect(qty).toBeGreaterThan(5);
    }
    // Ten on five days, fifteen on two: 80 a week.
    expect(milk.total_qty).toBeGreaterThan(130);
    expect(milk.total_qty).toBeLessThan(190);
    expect(milk.days_of_cover).toBeGreaterThanOrEqual(2);
    expect(milk.days_of_cover).toBeLessThanOrEqual(3);
    expect(milk.stockout_date).toBe(addDays(TODAY, milk.days_of_cover));
    expect(milk.reorder_point).toBeGreaterThan(80);
    expect(milk.suggested_order_qty).toBeGreaterThan(100);
    expect(milk.used_qty).toBeGreaterThan(300);
    expect(milk.weekday_profile).toHaveLength(7);
    expect(milk.explanation.en).toContain('Fresh Milk');
    expect(milk.explanation.ar).toContain('حليب طازج');
  });

  it('applies horizon, range, page, search and branch', async () => {
    const of = async (query: string, token = shop.shop.owner.token) =>
      (await ask(`GET /analytics/sensy?${query}`, { token })).body;
    for (const [horizon, days] of [
      ['28', 28],
      ['90', 90],
      ['91', 90],
      ['100000000000000000000', 90],
      ['0', 14],
      ['-3', 14],
      ['', 14],
      ['x', 14],
      ['7.5', 14],
      ['7&horizon=9', 7],
    ] as const) {
      const body = await of(`horizon=${horizon}`);
      expect([horizon, body.horizon, body.items[0].forecast.length]).toEqual([horizon, days, days]);
    }
    for (const [range, days] of [
      ['7d', 7],
      ['1y', 365],
      ['8', 30],
      ['', 30],
    ] as const) {
      expect((await of(`range=${range}`)).range_days).toBe(days);
    }
    expect((await of('range=7')).items[0].used_qty).toBeLessThan((await of('range=90')).items[0].used_qty);
    const second = await of('page=2&limit=2');
    expect(second).toMatchObject({ count: 1, total_count: 3, page: 2, limit: 2, has_next: false });
    expect(second.items.map((item: { sku_id: string }) => item.sku_id)).toEqual(['SALT_RUH-1']);
    const found = async (query: string) => (await of(query)).items.map((item: { sku_id: string }) => item.sku_id);
    expect(await found('search=حليب')).toEqual(['MILK_RUH-1', 'MILK_JED-1']);
    expect(await found('search=milk_jed')).toEqual(['MILK_JED-1']);
    expect(await found('search=nothing')).toEqual([]);
    expect(await found('branch_iv_id=JED-1')).toEqual(['MILK_JED-1']);
    expect(await found('branch_iv_id=NOWHERE')).toEqual([]);
    for (const wrong of ['page=0', 'limit=101', 'limit=x'])
      expect((await ask(`GET /analytics/sensy?${wrong}`)).status).toBe(400);
    // The order goes by the horizon that is asked for.
    const chances = (await of('horizon=60')).items.map(
      (item: { stockout_probability: number }) => item.stockout_probability,
    );
    expect(chances).toEqual(chances.toSorted((one: number, other: number) => other - one));
  });

  it('shows a confined account only its branch, and nothing to another organization', async () => {
    const seen = (await ask('GET /analytics/sensy', { token: confined.token })).body;
    expect(seen.items.map((item: { sku_id: string }) => item.sku_id)).toEqual(['MILK_JED-1']);
    expect(seen).toMatchObject({ total_count: 1, totals: { skus: 1 } });
    expect((await ask('GET /analytics/sensy?branch_iv_id=RUH-1', { token: confined.token })).body.items).toEqual([]);
    expect((await ask('GET /analytics/consumption', { token: confined.token })).body.totals.skus).toBe(1);
    const other = await testOrganization(sql);
    expect((await ask('GET /analytics/sensy', { token: other.owner.token })).body.items).toEqual([]);
    const without = await testAccount(sql, organizationId, 'member', {
      withheld: ['read:Analytics', 'export:Analytics'],
    });
    for (const path of ['sensy', 'consumption', 'sensy/template', 'sensy/export', 'sensy/settings']) {
      expect((await ask(`GET /analytics/${path}`, { token: without.token })).status).toBe(403);
    }
  });

  it('lists use, trend and projection of each SKU, the fastest first', async () => {
    const { body } = await ask('GET /analytics/consumption?range=7&horizon=7');
    expect(body).toMatchObject({ range_days: 7, horizon: 7, stale: false, total_count: 3 });
    expect(body.items.map((item: { sku_id: string }) => item.sku_id)).toEqual([
      'MILK_RUH-1',
      'MILK_JED-1',
      'SALT_RUH-1',
    ]);
    const [milk] = body.items;
    expect(milk).toMatchObject({
      branch_iv_id: 'RUH-1',
      used_qty: 80,
      daily_use: 11.429,
      trend: { direction: 'steady', change: 0, previous_qty: 80 },
      current_qty: 30,
    });
    expect(milk.projected_use).toBeGreaterThan(60);
    expect(milk.projected_use).toBeLessThan(100);
    expect(milk.daily).toHaveLength(7);
    expect(milk.daily.at(-1)).toEqual({ date: '2026-11-15', qty: 10 });
    expect(body.totals).toEqual({ skus: 3, used_qty: 128, daily_use: 18.286 });
    const year = (await ask('GET /analytics/consumption?range=1y&limit=1')).body;
    expect(year.items[0].daily).toHaveLength(90);
    expect(year.items[0].trend).toEqual({ direction: 'new', change: null, previous_qty: 0 });
  });

  it('is stale when stock moves, and is refreshed soon after', async () => {
    clock.advanceMs(1000);
    await ask('PATCH /skus/MILK_RUH-1', { body: { current_qty: 900 } });
    expect((await ask('GET /analytics/sensy')).body).toMatchObject({ stale: true });
    const body = await fresh();
    const milk = body.items.find((item: { sku_id: string }) => item.sku_id === 'MILK_RUH-1');
    expect(milk).toMatchObject({ current_qty: 900, stockout_probability: 0, stockout_date: null });
  });

  it("combines uploads with the service's own sales, uploads taking precedence on their days", async () => {
    const branchId = shop.branchIds.get('JED-1') ?? '';
    for (const [day, units] of [
      ['2026-11-14', 100],
      ['2026-11-15', 100],
    ] as const) {
      await sql`
        insert into daily_product_sales (organization_id, local_day, app_slug, branch_id, product_id, sku_id, currency,
                                         orders, sold, revenue, units, cancelled, refunded)
        values (${organizationId}, ${day}, 'web', ${branchId}, 'DATES', 'DATES_JED-1', 'SAR', 1, 1, 5500, ${units}, 0, 0)`;
    }
    await uploaded('sku_id,sale_date,qty\nDATES_JED-1,2026-11-15,7\n');
    const { body } = await ask('GET /analytics/consumption?range=7&search=DATES_JED');
    expect(body.items[0].daily.slice(-2)).toEqual([
      { date: '2026-11-14', qty: 100 },
      { date: '2026-11-15', qty: 7 },
    ]);
    expect(body.items[0].used_qty).toBe(107);
    const [dates] = (await ask('GET /analytics/sensy?search=DATES_JED')).body.items;
    expect(dates.demand_class).toBe('too_little_history');
  });
});

describe('the settings', () => {
  it('have visible defaults, and a change refreshes the forecasts', async () => {
    const defaults = { lead_time_days: 7, service_level: 0.95, reorder_threshold: 0, buffer: 0 };
    expect((await ask('GET /analytics/sensy/settings')).body).toEqual(defaults);
    const before = (await fresh()).items.find((item: { sku_id: string }) => item.sku_id === 'SALT_RUH-1');
    const changed = await ask('PATCH /analytics/sensy/settings', { body: { lead_time_days: 21, buffer: 6 } });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        success: true,
        message: 'Forecast settings updated',
        data: { ...defaults, lead_time_days: 21, buffer: 6 },
        timestamp: expect.any(String),
      },
    ]);
    const after = (await fresh()).items.find((item: { sku_id: string }) => item.sku_id === 'SALT_RUH-1');
    expect(after).toMatchObject({ lead_time_days: 21, buffer: 6 });
    expect(after.reorder_point).toBeGreaterThan(before.reorder_point);
    // A buffer of the SKU's own goes before the organization's.
    const milk = (await fresh('GET /analytics/sensy?search=MILK_RUH')).items[0];
    expect(milk).toMatchObject({ buffer: 4, lead_time_days: 21 });
    const [entry] = await sql`
      select action, resource, resource_id, changed_fields from audit_entries
      where organization_id = ${organizationId} and request_id = ${changed.headers.get('x-request-id')}`;
    expect(entry).toEqual({
      action: 'update',
      resource: 'Analytics',
      resource_id: organizationId,
      changed_fields: ['lead_time_days', 'buffer'],
    });
    const again = await ask('PATCH /analytics/sensy/settings', { body: { buffer: 6 } });
    expect(await sql`select from audit_entries where request_id = ${again.headers.get('x-request-id')}`).toEqual([]);
  });

  it.each([
    [{ lead_time_days: 0 }, 'lead_time_days'],
    [{ lead_time_days: 1.5 }, 'lead_time_days'],
    [{ service_level: 1 }, 'service_level'],
    [{ buffer: -1 }, 'buffer'],
    [{ reorder_threshold: 1e13 }, 'reorder_threshold'],
    [{ lead_time: 7 }, 'lead_time'],
  ])('422: %j', async (body, field) => {
    const reply = await ask('PATCH /analytics/sensy/settings', { body });
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([422, [field]]);
  });

  it('returns 403 for a viewer and for a confined account', async () => {
    const viewer = await testAccount(sql, organizationId, 'viewer');
    for (const { token } of [viewer, confined]) {
      expect((await ask('PATCH /analytics/sensy/settings', { token, body: { buffer: 1 } })).status).toBe(403);
    }
  });
});

describe('as CSV', () => {
  it('the template has only the header', async () => {
    const reply = await ask('GET /analytics/sensy/template');
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="sensy-template.csv"');
    expect(reply.text).toBe(`${HEADER}\r\n`);
  });

  it('an export can be uploaded again and changes nothing', async () => {
    const reply = await ask('GET /analytics/sensy/export');
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="sensy-${TODAY}.csv"`);
    const [header, ...rows] = reply.text.trim().split('\r\n');
    expect(header).toBe(HEADER);
    expect(rows).toContain('DATES_JED-1,Ajwa Dates,2026-11-14,100,55,0,0,0');
    expect(rows).toContain('MILK_RUH-1,Fresh Milk,2026-11-15,10,2.5,900,12,4');
    expect(rows).toHaveLength(3 * 120 + 2);
    const result = await uploaded(reply.text);
    expect(result).toMatchObject({ rows: rows.length, saved: rows.length, failed: 0 });
    expect((await ask('GET /analytics/sensy/export')).text).toBe(reply.text);
    const own = await ask('GET /analytics/sensy/export', { token: confined.token });
    expect(own.text).not.toContain('RUH-1');
    const viewer = await testAccount(sql, organizationId, 'viewer');
    expect((await ask('GET /analytics/sensy/export', { token: viewer.token })).status).toBe(403);
  });
});

describe('a new day', () => {
  it('makes forecasts stale, and the hourly job refreshes them', async () => {
    clock.advanceMs(86_400_000);
    expect((await ask('GET /analytics/consumption')).body.stale).toBe(true);
    await service.platform.jobs.enqueue(service.platform.sql, 'find-old-forecasts', {});
    const [item] = (await fresh('GET /analytics/sensy?search=MILK_JED')).items;
    expect(item.forecast[0].date).toBe(addDays(TODAY, 1));
    // There is no data for the 16th yet: it is unknown, not a day without sales.
    expect(item).toMatchObject({ history_until: '2026-11-15', history_days: 120 });
    expect(item.total_qty).toBeGreaterThan(50);
  });

  it('deletes demand and forecasts of deleted SKUs', async () => {
    await ask('DELETE /products/code/SALT?force=true');
    const left = (await ask('GET /analytics/sensy')).body.items.map((item: { sku_id: string }) => item.sku_id);
    expect(left).not.toContain('SALT_RUH-1');
    clock.advanceMs(86_400_000);
    await fresh();
    expect(await sql`select from forecasts where sku_iv_id like 'SALT%'`).toEqual([]);
    expect(await sql`select from demand_days where sku_iv_id like 'SALT%'`).toEqual([]);
  });
});
