import fc from 'fast-check';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { createReadBilling } from '../billing/index.ts';
import { newOrder } from '../orders/testing/new-order.ts';
import { rebuildSales } from '../sales/index.ts';
import { salesCaughtUp } from '../sales/testing/caught-up.ts';
import { createKeptReadings } from './kept-readings.ts';
import { readDashboard } from './read-dashboard.ts';
import type { SectionName } from './section-names.ts';
import type { SectionProviders } from './section-providers.ts';
import { recountDashboard } from './testing/recount-dashboard.ts';

/** Half past noon in Riyadh, whose days begin at 21:00 UTC. */
const NOON = new Date('2026-11-16T09:30:00Z');
const HOUR_MS = 3_600_000;
const clock = movableClock(NOON);
const service = await testService({}, { clock });
const { sql } = service;

type Shop = TestOrganization & { branches: [string, string]; channel: string; confined: string };

async function openShop(): Promise<Shop> {
  const shop = await testOrganization(sql);
  const branches: [string, string] = [newId(), newId()];
  const channel = newId();
  for (const [index, id] of branches.entries()) {
    await sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
              values (${shop.id}, ${id}, ${`B-${index}`}, ${`Branch ${index}`}, ${NOON}, ${NOON})`;
  }
  await sql`insert into app_installs (organization_id, id, app_slug, name_en, name_ar, family, kind, created, updated)
            values (${shop.id}, ${channel}, 'app-0', 'App', 'تطبيق', 'delivery_app', 'app', ${NOON}, ${NOON})`;
  const { token } = await testAccount(sql, shop.id, 'member', { branchId: branches[0] });
  return { ...shop, branches, channel, confined: token };
}

async function dashboard(token: string, query = ''): Promise<ReplyBody> {
  const { status, body, text } = await call(service.baseUrl, `GET /analytics/dashboard${query}`, { token });
  expect(status, text).toBe(200);
  return body;
}

async function place(shop: Shop, fields: Record<string, unknown>): Promise<string> {
  const { status, body, text } = await call(service.baseUrl, 'POST /orders', {
    token: shop.owner.token,
    body: newOrder(fields),
  });
  expect(status, text).toBe(201);
  return body.data.id;
}

describe('an organization without orders', () => {
  test('has a summary of zeros and nothing else', async () => {
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
  let shop: Shop;
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

  test('days is not used, and said to be', async () => {
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

describe('the sections of sales equal a recount', () => {
  async function expectRecount(shop: Shop): Promise<void> {
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

  test('after any history, after changes of the past, and after a rebuild', async () => {
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

  test('days are those of the organization, and shares of what is there', async () => {
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

  test('change is in percent of what was before', async () => {
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

describe('what stands on the stock', () => {
  test('is what sells, what runs out, and what is under its threshold', async () => {
    const shop = await openShop();
    const { token } = shop.owner;
    for (const number of [1, 2]) {
      const body = { iv_id: `P-${number}`, name_en: `Dates ${number}`, name_ar: `تمر ${number}` };
      expect((await call(service.baseUrl, 'POST /products', { token, body })).status).toBe(201);
    }
    const stock = async (iv_id: string, body: Record<string, unknown>) =>
      expect((await call(service.baseUrl, `PATCH /skus/${iv_id}`, { token, body })).status).toBe(200);
    await stock('P-1_B-0', { current_qty: 3, reorder_threshold: 10 });
    await stock('P-2_B-1', { current_qty: 0, reorder_threshold: 5 });
    await stock('P-2_B-0', { current_qty: 500, reorder_threshold: 5 });
    const line = (product: string, branch: number, quantity: number) => ({
      destination: shop.branches[branch],
      products: [{ product_id: product, sku_id: `${product}_B-${branch}`, quantity, price: 1 }],
    });
    await place(shop, line('P-1', 0, 7));
    await place(shop, line('P-2', 0, 14));
    await place(shop, line('P-9', 1, 1));
    await salesCaughtUp(sql);
    const { data } = await dashboard(token, '?range=7');
    const dates = { product_name_en: 'Dates 1', product_name_ar: 'تمر 1', branch_iv_id: 'B-0' };
    expect(data.consumption).toEqual([
      {
        ...dates,
        sku_id: 'P-2_B-0',
        product_name_en: 'Dates 2',
        product_name_ar: 'تمر 2',
        units: 14,
        daily_use: 2,
        current_qty: 500,
        days_of_cover: 250,
      },
      { ...dates, sku_id: 'P-1_B-0', units: 7, daily_use: 1, current_qty: 3, days_of_cover: 3 },
      {
        sku_id: 'P-9_B-1',
        product_name_en: null,
        product_name_ar: null,
        branch_iv_id: null,
        units: 1,
        daily_use: 0.143,
        current_qty: null,
        days_of_cover: null,
      },
    ]);
    expect(data.sensy).toEqual([
      { ...dates, sku_id: 'P-1_B-0', current_qty: 3, days_of_cover: 3, stockout_date: '2026-11-19' },
    ]);
    expect(data.products[0]).toMatchObject({ product_id: 'P-2', name_en: 'Dates 2', units: 14 });
    expect(data.alerts).toEqual([
      {
        kind: 'low_stock',
        severity: 'critical',
        message_en: 'Low stock: Dates 2 in B-1 has 0 left, its threshold is 5',
        message_ar: 'مخزون منخفض: تمر 2 في B-1 بقي منه 0، وحد إعادة الطلب 5',
        ref: 'P-2_B-1',
        at: NOON.toISOString(),
      },
      expect.objectContaining({ kind: 'low_stock', severity: 'warning', ref: 'P-1_B-0' }),
    ]);
    const ofBranch = (await dashboard(shop.confined, '?range=7')).data;
    expect(ofBranch.alerts.map(({ ref }: ReplyBody) => ref)).toEqual(['P-1_B-0']);
    expect(ofBranch.consumption.map(({ sku_id }: ReplyBody) => sku_id)).toEqual(['P-2_B-0', 'P-1_B-0']);

    await stock('P-1_B-0', { current_qty: 30 });
    const restocked = (await dashboard(token, '?range=7&section=alerts&section=sensy')).data;
    expect(restocked.alerts.map(({ ref }: ReplyBody) => ref)).toEqual(['P-2_B-1']);
    expect(restocked.sensy).toBeUndefined();
  });
});

describe('alerts of the organization', () => {
  test('are for whoever sees all of it', async () => {
    const shop = await openShop();
    const { token } = shop.owner;
    const subscribe = async (path: string) =>
      (
        await call(service.baseUrl, 'POST /webhook-subscriptions', {
          token,
          body: { url: `https://hooks.example.com/${path}` },
        })
      ).body.id;
    const [failing, disabled] = [await subscribe('failing'), await subscribe('disabled')];
    await subscribe('fine');
    await sql`update webhook_subscriptions set failing_since = ${NOON} where id = ${failing}`;
    await sql`update webhook_subscriptions set status = 'disabled', disabled_reason = 'x' where id = ${disabled}`;
    await sql`update app_installs set failures_in_a_row = 10 where id = ${shop.channel}`;
    await sql`
      insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, status, due_date, created)
      values (${shop.id}, ${newId()}, 'B-0', '2026-09-01', 100, 15, 'overdue', '2026-09-15', ${NOON})`;
    const kindsOf = ({ data }: ReplyBody) => (data.alerts ?? []).map(({ kind, ref }: ReplyBody) => [kind, ref]);
    const { data } = await dashboard(token, '?section=alerts');
    expect(kindsOf({ data }).sort()).toEqual(
      [
        ['failing_webhook', failing],
        ['failing_webhook', disabled],
        ['failing_connector', shop.channel],
        ['overdue_fee', null],
      ].sort(),
    );
    expect(data.alerts.find(({ kind }: ReplyBody) => kind === 'overdue_fee')).toEqual({
      kind: 'overdue_fee',
      severity: 'critical',
      message_en: 'Fees overdue: SAR 115.00',
      message_ar: 'رسوم متأخرة السداد: 115.00 ر.س',
      ref: null,
      at: NOON.toISOString(),
    });
    expect(data.alerts.at(-1)).toMatchObject({ ref: failing, severity: 'warning' });
    expect(kindsOf(await dashboard(shop.confined, '?section=alerts'))).toEqual([]);
  });

  test('tell when many more orders are cancelled than usual', async () => {
    const shop = await openShop();
    clock.moveTo(new Date(NOON.getTime() - 10 * 24 * HOUR_MS));
    const fill = async (status: string, count: number) => {
      for (let made = 0; made < count; made += 1)
        await place(shop, { order_status: status, destination: shop.branches[0] });
    };
    await fill('RECEIVED', 8);
    await fill('CANCELLED', 2);
    clock.moveTo(NOON);
    await fill('CANCELLED', 4);
    await fill('RECEIVED', 5);
    await salesCaughtUp(sql);
    expect((await dashboard(shop.owner.token, '?section=alerts')).data).toEqual({});
    await fill('CANCELLED', 1);
    await salesCaughtUp(sql);
    const spike = {
      kind: 'cancellation_spike',
      severity: 'warning',
      message_en: 'Cancellations: 50 % of the orders since yesterday, usually 20 %',
      message_ar: 'الإلغاءات: 50% من الطلبات منذ أمس، والمعتاد 20%',
      ref: null,
      at: NOON.toISOString(),
    };
    expect((await dashboard(shop.owner.token, '?section=alerts')).data).toEqual({ alerts: [spike] });
    expect((await dashboard(shop.confined, '?section=alerts&range=7')).data).toEqual({ alerts: [spike] });
  });
});

describe('who may', () => {
  test('needs read on Analytics, whatever else is held', async () => {
    const shop = await openShop();
    const ask = (token: string) => call(service.baseUrl, 'GET /analytics/dashboard', { token });
    const without = await testAccount(sql, shop.id, 'owner', { withheld: ['read:Analytics'], added: ['read:Reports'] });
    expect((await ask(without.token)).status).toBe(403);
    expect((await ask((await testAccount(sql, shop.id, 'viewer')).token)).status).toBe(200);
    expect((await ask('nobody')).status).toBe(401);
  });
});

describe('what fails', () => {
  test('is told beside the rest', async () => {
    const shop = await openShop();
    await place(shop, {});
    await salesCaughtUp(sql);
    await sql`alter table daily_product_sales rename to gone`;
    const failed = await dashboard(shop.owner.token);
    await sql`alter table gone rename to daily_product_sales`;
    const wrong = 'This section could not be read';
    expect(failed.errors).toEqual({ sensy: wrong, consumption: wrong, products: wrong });
    expect(Object.keys(failed.data)).toEqual(['summary', 'trends', 'apps', 'activity']);
    const mended = await dashboard(shop.owner.token);
    expect([Object.keys(mended.data).at(-1), mended.errors]).toEqual(['products', undefined]);
  });

  const read = async (providers: SectionProviders, sections: readonly SectionName[]) => {
    const shop = await openShop();
    const sources = {
      sql,
      clock,
      kept: createKeptReadings({ maxReadings: 10, maxCharacters: 10_000, tenantShare: 1 }),
      readBilling: createReadBilling({ sql, clock }),
      providers,
      sectionTimeLimitMs: 500,
    };
    const tenant = { organizationId: shop.id, branchId: null, timeZone: 'Asia/Riyadh' };
    return JSON.parse(await readDashboard(sources, pino({ level: 'silent' }), tenant, 30, sections));
  };

  test('by taking too long is told as well', async () => {
    const never = new Promise<never>(() => undefined);
    const mover = { sku_id: 'S', product_name_en: null, product_name_ar: null, branch_iv_id: null };
    const use = [{ ...mover, units: 1, daily_use: 1, current_qty: null, days_of_cover: null }];
    // Only sections that wait for nothing or for ever: how long the database takes is the machine's business.
    const { data, errors } = await read(
      { listPosts: () => never, readSensySection: () => never, readConsumptionSection: async () => use },
      ['sensy', 'consumption', 'posts'],
    );
    const late = 'This section took longer than 0.5 seconds';
    expect([data, errors]).toEqual([{ consumption: use }, { sensy: late, posts: late }]);
  });

  test('other parts provide what they know better', async () => {
    const post = {
      id: newId(),
      title_en: 'Eid',
      title_ar: 'عيد',
      body_en: 'Closed',
      body_ar: 'مغلق',
      published_at: NOON.toISOString(),
    };
    const asked: unknown[] = [];
    const { data } = await read(
      {
        listPosts: async () => [post],
        readSensySection: async (...given) => {
          asked.push(given.slice(1));
          return [];
        },
      },
      ['sensy', 'posts'],
    );
    expect([data, asked]).toEqual([{ posts: [post] }, [[null, 30]]]);
  });
});

describe('fifty callers on two connections', () => {
  test('all get their answer', async () => {
    const narrow = await testService({ DATABASE_POOL_SIZE: '2', DUKKAN_ROLES: 'api' }, { clock });
    const shops = [await testOrganization(narrow.sql), await testOrganization(narrow.sql)];
    const queries = ['', '?range=7', '?range=1y', '?section=summary', '?section=alerts&section=products'];
    const asked = Array.from({ length: 50 }, (_, index) =>
      call(narrow.baseUrl, `GET /analytics/dashboard${queries[index % 5]}`, { token: shops[index % 2]?.owner.token }),
    );
    for (const { status, body } of await Promise.all(asked)) expect([status, body.range_days > 0]).toEqual([200, true]);
    const calm = async () =>
      (await call(narrow.baseUrl, 'GET /analytics/dashboard', { token: shops[0]?.owner.token })).body;
    await expect.poll(async () => (await calm()).errors).toBeUndefined();
  });
});
