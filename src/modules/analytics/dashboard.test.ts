import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type ReplyBody, testAccount } from '../../../test/harness/index.ts';
import { rebuildSales } from '../sales/index.ts';
import { salesCaughtUp } from '../sales/testing/caught-up.ts';
import { recountDashboard } from './testing/recount-dashboard.ts';
import { type DashboardShop, NOON, startDashboards } from './testing/start-dashboards.ts';

const HOUR_MS = 3_600_000;
const { clock, service, sql, openShop, dashboard, place } = await startDashboards();

describe('an organization without orders', () => {
  test('has only a summary of zeros', async () => {
    const shop = await openShop();
    const zeros = { orders: 0, revenue: 0, average_order_value: 0, units: 0, customers: 0, cancelled: 0, refunded: 0 };
    const nothing = Object.fromEntries(Object.keys(zeros).map((name) => [name, null]));
    expect(await dashboard(shop.owner.token)).toEqual({
      organization_id: shop.id,
      range_days: 30,
      fetched_at: NOON.toISOString(),
      data: { summary: { currency: 'SAR', ...zeros, previous: zeros, change: nothing } },
    });
    expect(await dashboard(shop.owner.token, '?section=trends&section=posts')).toMatchObject({ data: {} });
  });
});

describe('range and section', () => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openShop();
    await place(shop, { destination: shop.branches[0], customer_phone: '0501234567' });
    await sql`update skus set reorder_threshold = 1 where organization_id = ${shop.id}`;
    await salesCaughtUp(sql);
  });

  test.each([
    ['', 30],
    ['?range=', 30],
    ['?range=7', 7],
    ['?range=7d', 7],
    ['?range=90', 90],
    ['?range=180d', 180],
    ['?range=1y', 365],
    ['?range=365', 365],
    ['?range=8', 30],
    ['?range=1Y', 30],
    ['?range=7%20', 30],
    ['?range=7&range=90', 7],
    [`?range=${'9'.repeat(5000)}`, 30],
  ])('%s is %i days', async (query, days) => {
    const { range_days, data } = await dashboard(shop.owner.token, query);
    expect([range_days, data.trends.length]).toEqual([days, days]);
    expect(data.trends.at(-1)).toEqual({ date: '2026-11-16', orders: 1, revenue: 23, units: 2 });
  });

  test('the parameter days is reported as unused', async () => {
    const { token } = shop.owner;
    const { headers, body } = await call(service.baseUrl, 'GET /analytics/dashboard?days=7', { token });
    expect([headers.get('x-ignored-fields'), body.range_days]).toEqual(['days', 30]);
    const strict = await call(service.baseUrl, 'GET /analytics/dashboard?days=7', {
      token,
      headers: { prefer: 'handling=strict' },
    });
    expect(strict.status).toBe(400);
  });

  const all = ['summary', 'trends', 'apps', 'activity', 'consumption', 'products'];
  test.each([
    ['', all],
    ['?section=trends', ['trends']],
    ['?section=products&section=summary', ['summary', 'products']],
    ['?section=apps&section=apps', ['apps']],
    ['?section=trends&section=weather', ['trends']],
    ['?section=weather', all],
    ['?section=', all],
    ['?section=Summary', all],
    ['?section=summary,trends', all],
    ['?section=posts', []],
    [`?${'section=x&'.repeat(500)}section=apps`, ['apps']],
  ])('%s', async (query, sections) => {
    const { data, errors } = await dashboard(shop.owner.token, query);
    expect([Object.keys(data), errors]).toEqual([sections, undefined]);
  });
});

/** What happens to a shop: orders over some days, some of them changed afterwards. */
const order = fc.record({
  hoursLater: fc.integer({ min: 0, max: 60 }),
  branch: fc.constantFrom(0, 1, null),
  viaApp: fc.boolean(),
  order_status: fc.constantFrom('RECEIVED', 'Delivered', 'rejected', 'on hold'),
  payment_status: fc.constantFrom('pending', 'completed', 'completed', 'refunded'),
  customer_phone: fc.constantFrom('0501234567', '+966501234567', '0551112222', '0559998888', null),
  currency: fc.constantFrom('SAR', 'SAR', 'SAR', 'USD'),
  total_amount: fc.integer({ min: 0, max: 100_000 }).map((halalas) => halalas / 100),
  products: fc.array(
    fc.record({
      product_id: fc.constantFrom('P-1', 'P-2', 'P-3'),
      sku_id: fc.constantFrom('S-1', 'S-2'),
      quantity: fc.constantFrom(1, 2, 0.1, 1.25, 0),
      price: fc.integer({ min: 0, max: 500 }).map((steps) => (steps * 20) / 100),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const history = fc.array(order, { minLength: 10, maxLength: 30 });

describe('sections of sales', () => {
  async function expectRecount(shop: DashboardShop): Promise<void> {
    await salesCaughtUp(sql);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Riyadh' }).format(clock.now());
    for (const days of [7, 30, 90]) {
      for (const branchId of [null, shop.branches[0]]) {
        const token = branchId === null ? shop.owner.token : shop.confined;
        const { data, errors } = await dashboard(token, `?range=${days}`);
        const own = { id: shop.id, timeZone: 'Asia/Riyadh', currency: 'SAR' };
        const counted = await recountDashboard(sql, own, { days, today, branchId });
        const { currency, previous, change, other_currencies = [], ...current } = data.summary;
        expect(errors).toBeUndefined();
        expect({ current, previous, other_currencies }).toEqual({
          current: counted.current,
          previous: counted.previous,
          other_currencies: counted.other_currencies,
        });
        expect(data.trends ?? []).toEqual(counted.current.orders === 0 ? [] : counted.trends);
        const apps = (data.apps ?? []).map(({ share, family, ...figures }: ReplyBody) => figures);
        expect(apps.sort(by('app_slug'))).toEqual(counted.apps);
        const products = (data.products ?? []).map(({ name_en, name_ar, share, ...figures }: ReplyBody) => figures);
        expect(products.sort(by('product_id'))).toEqual(counted.products);
        const movers = (data.consumption ?? []).map(({ sku_id, units }: ReplyBody) => ({ sku_id, units }));
        expect(movers.sort(by('sku_id'))).toEqual(counted.skus);
      }
    }
  }
  const by = (name: string) => (one: ReplyBody, other: ReplyBody) => (one[name] < other[name] ? -1 : 1);

  test('equal a recount after a random history, after changes of past orders, and after a rebuild', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (orders) => {
        const shop = await openShop();
        clock.moveTo(new Date(NOON.getTime() - 40 * 24 * HOUR_MS));
        const ids: string[] = [];
        for (const { hoursLater, branch, viaApp, ...fields } of orders) {
          clock.advanceMs(hoursLater * HOUR_MS);
          const destination = branch === null ? null : shop.branches[branch];
          ids.push(await place(shop, { ...fields, destination, source: viaApp ? shop.channel : null, skus: ['S-1'] }));
        }
        clock.moveTo(new Date(Math.max(NOON.getTime(), clock.now().getTime())));
        await expectRecount(shop);

        // What was kept of all this no longer holds.
        const { token } = shop.owner;
        const updates = ids.slice(0, 3).map((id) => ({ id, payment_status: 'refunded' }));
        await call(service.baseUrl, 'PATCH /orders/bulk/status', { token, body: { updates } });
        await call(service.baseUrl, 'DELETE /orders/bulk', { token, body: ids.slice(3, 5) });
        await expectRecount(shop);

        await sql`update orders set total_amount = total_amount + 1 where organization_id = ${shop.id}`;
        await rebuildSales(sql, shop.id);
        await expectRecount(shop);
      }),
      { numRuns: 3, endOnFailure: true },
    );
    clock.moveTo(NOON);
  });

  test("use days in the organization's time zone, and shares of the totals", async () => {
    const shop = await openShop();
    clock.moveTo(new Date('2026-11-14T20:59:59.999Z'));
    await place(shop, { total_amount: 10, destination: shop.branches[0], source: shop.channel });
    clock.moveTo(new Date('2026-11-14T21:00:00Z'));
    await place(shop, { total_amount: 30 });
    clock.moveTo(NOON);
    await salesCaughtUp(sql);
    const { data } = await dashboard(shop.owner.token, '?range=7');
    expect(data.trends.slice(-3).map(({ date, revenue }: ReplyBody) => [date, revenue])).toEqual([
      ['2026-11-14', 10],
      ['2026-11-15', 30],
      ['2026-11-16', 0],
    ]);
    expect(data.apps).toEqual([
      { app_slug: 'api', family: 'api', orders: 1, revenue: 30, share: 0.75, cancelled: 0 },
      { app_slug: 'app-0', family: 'delivery_app', orders: 1, revenue: 10, share: 0.25, cancelled: 0 },
    ]);
    expect(data.products).toEqual([
      { product_id: 'P-1', name_en: null, name_ar: null, units: 4, revenue: 40, share: 1 },
    ]);
    expect(data.activity.map(({ type, total }: ReplyBody) => [type, total])).toEqual([
      ['order.created', 30],
      ['order.created', 10],
    ]);
    const ofBranch = await dashboard(shop.confined, '?section=activity');
    expect(ofBranch.data.activity.map(({ total }: ReplyBody) => total)).toEqual([10]);

    // A day later the same orders are a day further back.
    clock.advanceMs(24 * HOUR_MS);
    expect((await dashboard(shop.owner.token, '?range=7')).data.trends.at(-3)).toMatchObject({
      date: '2026-11-15',
      revenue: 30,
    });
    clock.moveTo(NOON);
  });

  test('have the change in percent of the previous value', async () => {
    const shop = await openShop();
    clock.moveTo(new Date(NOON.getTime() - 8 * 24 * HOUR_MS));
    await place(shop, { total_amount: 20, customer_phone: '0501234567' });
    clock.moveTo(NOON);
    for (const total_amount of [10, 15, 5]) await place(shop, { total_amount, customer_phone: '0501234567' });
    await salesCaughtUp(sql);
    const { data } = await dashboard(shop.owner.token, '?range=7&section=summary');
    expect(data.summary).toMatchObject({
      revenue: 30,
      average_order_value: 10,
      customers: 1,
      previous: { orders: 1, revenue: 20, average_order_value: 20, customers: 1 },
      change: { orders: 200, revenue: 50, average_order_value: -50, units: 200, customers: 0, cancelled: null },
    });
  });
});

test.each([
  ['KWD', [1.235, 0.1, 0.2], 0.512, 1.535],
  ['JPY', [100, 101], 101, 201],
  ['SAR', [1.004, 1.004, 1.004], 1, 3.01],
])('amounts in %s have the digits of the currency', async (currency, totals, average_order_value, revenue) => {
  const shop = await openShop();
  const { token } = shop.owner;
  await call(service.baseUrl, 'PATCH /organization', { token, body: { currency } });
  for (const total_amount of totals) await place(shop, { total_amount, currency });
  await salesCaughtUp(sql);
  await place(shop, { total_amount: 2.0004, currency: 'OMR' });
  await salesCaughtUp(sql);
  const { data } = await dashboard(token, '?range=7');
  expect(data.summary).toMatchObject({ currency, revenue, average_order_value });
  expect(data.summary.other_currencies).toEqual([{ currency: 'OMR', orders: 1, revenue: 2 }]);
  expect(data.trends.at(-1)).toMatchObject({ revenue });
  expect(data.apps).toMatchObject([{ revenue }]);
  const goal = await call(service.baseUrl, 'GET /analytics/goals', { token });
  expect(goal.body).toMatchObject({ currency, achieved: revenue });
});

describe('home', () => {
  const DAY_MS = 24 * HOUR_MS;
  const ask = async (token: string, route: string, body?: unknown) => {
    const answer = await call(service.baseUrl, route, { token, ...(body !== undefined && { body }) });
    return [answer.status, answer.body] as [number, ReplyBody];
  };

  test('shows sales by branch, those of the same weekdays a year ago, and a goal with its pace', async () => {
    const shop = await openShop();
    const { token } = shop.owner;
    const unknown = await ask(token, 'GET /analytics/last-year?range=7');
    expect(unknown).toEqual([200, expect.objectContaining({ is_known: false, revenue: 0, trends: [] })]);
    // 364 days before, and eleven days before those: the year is known for 7 days, not for 30.
    for (const [daysAgo, amount] of [
      [375, 5],
      [364, 40],
      [10, 280],
    ] as const) {
      clock.moveTo(new Date(NOON.getTime() - daysAgo * DAY_MS));
      await place(shop, { total_amount: amount, destination: shop.branches[1] });
    }
    clock.moveTo(NOON);
    await place(shop, { total_amount: 50, destination: shop.branches[0] });
    await place(shop, { total_amount: 10 });
    await salesCaughtUp(sql);

    const [, { items }] = await ask(token, 'GET /analytics/branches?range=30');
    expect(items).toMatchObject([
      { branch_iv_id: 'B-1', name_en: 'Branch 1', name_ar: 'فرع 1', orders: 1, revenue: 280 },
      { branch_iv_id: 'B-0', orders: 1, revenue: 50 },
      { branch_iv_id: null, name_en: null, orders: 1, revenue: 10 },
    ]);
    expect((await ask(token, 'PUT /branches/B-1', { name_en: 'Olaya', name_ar: 'العليا' }))[0]).toBe(200);
    const [, renamed] = await ask(token, 'GET /analytics/branches?range=30');
    expect(renamed.items[0]).toMatchObject({ branch_iv_id: 'B-1', name_en: 'Olaya', name_ar: 'العليا', revenue: 280 });
    const [, ofBranch] = await ask(shop.confined, 'GET /analytics/branches?range=30');
    expect(ofBranch.items).toMatchObject([{ branch_iv_id: 'B-0', share: 1 }]);

    const [, year] = await ask(token, 'GET /analytics/last-year?range=7');
    expect(year).toMatchObject({ from: '2025-11-11', to: '2025-11-17', is_known: true, orders: 1, revenue: 40 });
    expect(year.change).toEqual({ orders: 100, revenue: 50 });
    expect([year.trends.length, year.trends[6]]).toEqual([7, { date: '2025-11-17', orders: 1, revenue: 40 }]);
    expect((await ask(token, 'GET /analytics/last-year?range=30'))[1].is_known).toBe(false);

    const before = await ask(token, 'GET /analytics/goals');
    // 280 in the ten days of this shop until yesterday, and 15 days of the month to go.
    const progress = { month: '2026-11', achieved: 340, projected: 700, days: 30, elapsed_days: 15 };
    expect(before).toEqual([200, expect.objectContaining({ ...progress, revenue: null })]);
    const goal = { month: '2026-11', revenue: 900 };
    const saved = await ask(token, 'PUT /analytics/goals', goal);
    expect(saved).toEqual([200, expect.objectContaining({ data: { ...before[1], revenue: 900 } })]);
    expect((await ask(token, 'GET /analytics/goals?month=2026-12'))[1]).toMatchObject({ revenue: null, achieved: 0 });
    await ask(token, 'PUT /analytics/goals', { ...goal, revenue: null });
    expect((await ask(token, 'GET /analytics/goals'))[1].revenue).toBeNull();
  });

  test.each([
    [{ month: '2026-13', revenue: 1 }, 422],
    [{ month: '1999-01', revenue: 1 }, 422],
    [{ month: '2026-11\u0000', revenue: 1 }, 400],
    [{ month: '2026-11', revenue: 0 }, 422],
    [{ month: '2026-11', revenue: 1e300 }, 422],
    [{ month: '2026-11' }, 422],
  ])('refuses the goal %j', async (body, status) => {
    const shop = await openShop();
    expect((await ask(shop.owner.token, 'PUT /analytics/goals', body))[0]).toBe(status);
  });

  test('requires the grant of each route', async () => {
    const shop = await openShop();
    const viewer = await testAccount(sql, shop.id, 'viewer');
    const without = await testAccount(sql, shop.id, 'owner', { withheld: ['read:Analytics'] });
    const goal = { month: '2026-11', revenue: 9 };
    for (const route of ['GET /analytics/branches', 'GET /analytics/last-year', 'GET /analytics/goals']) {
      expect((await ask(without.token, route))[0]).toBe(403);
      expect((await ask(viewer.token, route))[0]).toBe(200);
      expect((await ask('unknown', route))[0]).toBe(401);
    }
    expect((await ask(without.token, 'GET /analytics/low-stock'))[0]).toBe(200);
    expect((await ask(viewer.token, 'PUT /analytics/goals', goal))[0]).toBe(403);
    expect((await ask(shop.confined, 'GET /analytics/goals'))[0]).toBe(403);
  });
});

describe('access', () => {
  test('requires read on Analytics, regardless of other grants', async () => {
    const shop = await openShop();
    const ask = (token: string) => call(service.baseUrl, 'GET /analytics/dashboard', { token });
    const without = await testAccount(sql, shop.id, 'owner', { withheld: ['read:Analytics'], added: ['read:Reports'] });
    expect((await ask(without.token)).status).toBe(403);
    expect((await ask((await testAccount(sql, shop.id, 'viewer')).token)).status).toBe(200);
    expect((await ask('nobody')).status).toBe(401);
  });
});
