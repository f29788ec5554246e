import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { awaitDemoFigures } from '../../src/demo/await-figures.ts';
import { seedDeliveries } from '../../src/demo/deliveries.ts';
import { loadDemo } from '../../src/demo/index.ts';
import { type DemoOrganization, readLogins } from '../../src/demo/logins.ts';
import { generateProducts } from '../../src/demo/products.ts';
import { seededRandom } from '../../src/demo/random.ts';
import { createSimulator } from '../../src/demo/simulator/index.ts';
import { GROCERY_BRANCHES, PHARMACY_BRANCHES } from '../../src/demo/words/branches.ts';
import { GROCERY } from '../../src/demo/words/grocery.ts';
import { PHARMACY } from '../../src/demo/words/pharmacy.ts';
import type { Order } from '../../src/modules/orders/index.ts';
import { salesCaughtUp } from '../../src/modules/sales/testing/caught-up.ts';
import { readPicture, recount } from '../../src/modules/sales/testing/recount.ts';
import { readVatRates } from '../../src/modules/skus/index.ts';
import { assessInvoice } from '../../src/modules/till/invoice-amounts.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { type DocumentedRoute, examplesOf, type OpenApiDocument, routesOf } from '../harness/documented-routes.ts';
import { call, patienceMs, type TestService, testOrganization, testService } from '../harness/index.ts';
import { type Outcome, run } from '../start/service-process.ts';

const LISTS = [
  { words: PHARMACY, branches: PHARMACY_BRANCHES },
  { words: GROCERY, branches: GROCERY_BRANCHES },
];

/** The service and the simulator have one clock: a simulator ahead of the service takes the difference for a pause to fill. */
const realTime = systemClock();
let aheadMs = 0;
const clock: Clock = {
  now: () => new Date(realTime.now().getTime() + aheadMs),
  nowNanoseconds: () => realTime.nowNanoseconds() + BigInt(aheadMs) * 1_000_000n,
};

let service: TestService;
let shops: DemoOrganization[];

let seeded: Outcome;

/** Loaded once for all that is said of it, since a year of trade takes many seconds; by the command, beside a shop of others. */
beforeAll(async () => {
  service = await testService({ DUKKAN_DEMO: 'static' }, { clock });
  await testOrganization(service.sql);
  seeded = await seed('--force');
  shops = (await readLogins(service.dataDir))?.organizations ?? [];
});

const seed = (...options: string[]) =>
  run(['seed', ...options], {
    DATABASE_URL: service.databaseUrl,
    DUKKAN_SECRET: service.platform.secret,
    DUKKAN_DATA_DIR: service.dataDir,
    LOG_LEVEL: 'warn',
  }).ended;

const get = async (shop: DemoOrganization | undefined, path: string) => {
  const { status, body } = await call(service.baseUrl, `GET ${path}`, { token: shop?.owner.token });
  expect(status).toBe(200);
  return body;
};

describe('what was paid for', () => {
  test.each([0, 1])('shop %i has payment links in each of their states', async (index) => {
    const pages = await Promise.all(
      ['tabby', 'tamara'].map((provider) => get(shops[index], `/providers/${provider}/paylinks?limit=100`)),
    );
    const links: { status: string; order_id: string | null; amount: number }[] = pages.flatMap(({ data }) => data);
    expect([...new Set(links.map(({ status }) => status))].sort()).toEqual([
      'authorized',
      'cancelled',
      'captured',
      'created',
      'expired',
      'failed',
      'refunded',
    ]);
    const captured = links.find(({ status, order_id }) => status === 'captured' && order_id !== null);
    const { order } = await get(shops[index], `/orders/${captured?.order_id}`);
    expect([order.payment_status, order.total_amount]).toEqual(['completed', captured?.amount]);
  });

  test.each([0, 1])('shop %i has sold over the counter, each sale with an invoice in one chain', async (index) => {
    // The second shop has about a tenth of the orders: on some days none at the counter.
    const days = index === 0 ? 1 : 10;
    const from = new Date(Date.now() - days * 86_400_000).toISOString();
    const { orders } = await get(shops[index], `/orders?source=till&limit=100&from=${from}`);
    expect(orders.length).toBeGreaterThan(4);
    const gaps = new Set(
      orders.map(({ order }: { order: { created_at: string } }) => Date.parse(order.created_at) % 60_000),
    );
    expect(gaps.size).toBe(orders.length);
    const chains = await service.sql<{ total: number; positions: number; linked: number }[]>`
      select count(*) as total, max(i.position) as positions,
             count(*) filter (where exists (
               select from invoices p where p.organization_id = i.organization_id and p.hash = i.previous_hash)) as linked
      from invoices i where i.organization_id = ${shops[index]?.id ?? ''} group by i.branch_iv_id`;
    expect(chains.length).toBeGreaterThan(0);
    for (const { total, positions, linked } of chains) expect([positions, linked]).toEqual([total, total - 1]);
  });
});

describe('what can be invoiced', () => {
  test.each([0, 1])('shop %i: every order that is neither cancelled nor refunded', async (index) => {
    const { sql } = service;
    const organizationId = shops[index]?.id ?? '';
    const orders = await sql<Order[]>`
      select order_status, payment_status, currency, total_amount, discounts_amount, vat_amount, delivery_fee,
             service_fee, products, app_slug, organization_app_id
      from orders where organization_id = ${organizationId}`;
    const lines = orders.flatMap(({ products }) => products);
    const rates = await readVatRates(sql, organizationId, {
      productIvIds: [...new Set(lines.map(({ product_id }) => product_id))],
      skuIvIds: [...new Set(lines.map(({ sku_id }) => sku_id))],
    });
    const refused = orders.flatMap((order) => {
      const judged = assessInvoice(order, rates);
      return 'refusal' in judged ? [{ ...judged.refusal, app_slug: order.app_slug }] : [];
    });
    const isExpected = ({ error }: { error: string }) => error === 'Order cancelled' || error === 'Order refunded';
    expect(refused.filter((one) => !isExpected(one)).slice(0, 5)).toEqual([]);
    expect(refused.length).toBeLessThan(orders.length / 5);
  });
});

describe('what the operator collects', () => {
  test('every organization reads one period in GET /billing and GET /auth/credentials', async () => {
    const suspended = (await readLogins(service.dataDir))?.suspended;
    for (const { owner } of [...shops, ...(suspended === undefined ? [] : [suspended])]) {
      const [billing, credentials] = await Promise.all(
        ['/billing', '/auth/credentials'].map((path) => call(service.baseUrl, `GET ${path}`, { token: owner.token })),
      );
      expect([billing?.status, credentials?.status]).toEqual([200, 200]);
      expect(billing?.body.period_end).toMatch(/^20\d\d-/);
      expect(billing?.body).toMatchObject({
        plan: credentials?.body.subscription.plan,
        status: credentials?.body.subscription.status,
        period_end: credentials?.body.subscription.period_end,
      });
    }
  });

  test('partners earn on payments less refunds', async () => {
    const token = (await readLogins(service.dataDir))?.commercial.token;
    const { body } = await call(service.baseUrl, 'GET /commercial/erp-commission-rates', { token });
    for (const { tenants } of body.items) {
      for (const { organization_id, collected_sar } of tenants) {
        const [row] = await service.sql<{ net: string; refunds: number }[]>`
          select sum(case entry_type when 'topup' then total_sar else -total_sar end)::text as net,
                 count(*) filter (where entry_type = 'refund') as refunds
          from ledger_entries where organization_id = ${organization_id} and entry_type in ('topup', 'refund')`;
        expect(collected_sar).toBe(Number(row?.net));
        if (organization_id === shops[0]?.id) expect(row?.refunds).toBe(1);
      }
    }
  });
});

describe('loading it', () => {
  test('seed --force adds the demo to a database that is in use, once', async () => {
    const file = path.join(service.dataDir, 'demo.json');
    expect([seeded.code, seeded.out]).toEqual([0, `The demo is loaded. Its logins are in ${file}\n`]);
    expect(shops).toHaveLength(2);
    const demo = JSON.parse(await readFile(file, 'utf8'));
    const seen = await call(service.baseUrl, 'GET /auth/credentials', { token: demo.organizations[1].viewer.token });
    expect(seen.body).toMatchObject({ tenant: { id: demo.organizations[1].id }, user: { role: 'viewer' } });
    const second = await seed();
    expect(second.out).toBe(`The demo was loaded before. Its logins are in ${file}\n`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(demo);
  });

  test('is not loaded twice', async () => {
    const count = async () => await service.sql`select (select count(*) from skus), (select count(*) from users)`;
    const before = await count();
    const logins = await readLogins(service.dataDir);
    expect(await loadDemo(service.platform, { onlyWhenEmpty: false })).toBe(false);
    expect(await loadDemo(service.platform, { onlyWhenEmpty: true })).toBe(false);
    expect(await count()).toEqual(before);
    expect(await readLogins(service.dataDir)).toEqual(logins);
  });
});

describe('the catalog of both shops', () => {
  const total = async (shop: DemoOrganization, path: string, token = shop.owner.token) => {
    const { status, body } = await call<{ total_count: number }>(service.baseUrl, `GET ${path}`, { token });
    expect(status).toBe(200);
    return body.total_count;
  };

  test('gives each shop its branches, products and the whole matrix', async () => {
    for (const [index, shop] of shops.entries()) {
      const list = LISTS[index];
      const products = generateProducts(list?.words ?? PHARMACY, '7201', seededRandom(1)).length;
      const branches = list?.branches.length ?? 0;
      // The first shop has one of each without SKUs or products, for the examples that delete.
      const spare = index === 0 ? 1 : 0;
      expect(await total(shop, '/branches')).toBe(branches + spare);
      expect(await total(shop, '/products')).toBe(products);
      expect(await total(shop, '/skus')).toBe((products - spare) * branches);
      expect(await total(shop, '/skus?is_enabled=true')).toBeGreaterThan(products * branches * 0.95);
      expect(await total(shop, '/skus?low_stock=true')).toBeGreaterThan(products * branches * 0.06);
      expect(await total(shop, '/brands')).toBe(Object.keys(list?.words.brands ?? {}).length + spare);
      expect(await total(shop, '/categories')).toBe(Object.keys(list?.words.categories ?? {}).length + spare);
    }
  });

  test('leaves no product without a brand, a category or a name', async () => {
    const rows = await service.sql`
      select iv_id from products
      where name_en = '' or name_ar = '' or brand_id is null or category_id is null or barcode !~ '^628[0-9]{10}$'`;
    expect(rows.map((row) => row.iv_id)).toEqual([]);
    const vat = await service.sql<{ category: string; vat: number }[]>`
      select distinct c.name_en as category, p.vat_value as vat
      from products p join categories c on c.organization_id = p.organization_id and c.id = p.category_id`;
    expect(vat).toContainEqual({ category: 'Pain and fever', vat: 0 });
    expect(vat).toContainEqual({ category: 'Vitamins and supplements', vat: 15 });
    expect(vat).toContainEqual({ category: 'Dairy and cheese', vat: 15 });
  });

  test('has hours with split and overnight windows', async () => {
    const [counted] = await service.sql<{ split: number; overnight: number; closed: number }[]>`
      select
        count(*) filter (where (select count(*) from jsonb_array_elements(working_hours_periods) p
                                where p->>'WeekDay' = 'Friday') > 1) as split,
        count(*) filter (where exists (select from jsonb_array_elements(working_hours_periods) p
                                       where (p->>'CloseHour')::int < (p->>'OpenHour')::int)) as overnight,
        count(*) filter (where not exists (select from jsonb_array_elements(working_hours_periods) p
                                           where p->>'WeekDay' = 'Friday')) as closed
      from branches`;
    expect(counted?.split).toBeGreaterThan(3);
    expect(counted?.overnight).toBeGreaterThan(3);
    expect(counted?.closed).toBeGreaterThan(0);
  });

  test('lets a branch user see its own branch alone', async () => {
    for (const shop of shops) {
      const { token, branch_iv_id: ivId } = shop.branch_user;
      expect(ivId).not.toBe('');
      expect(await total(shop, '/branches', token)).toBe(1);
      expect((await call(service.baseUrl, `GET /branches/${ivId}`, { token })).status).toBe(200);
      const spare = shop === shops[0] ? 1 : 0;
      expect(await total(shop, '/skus', token)).toBe((await total(shop, '/products')) - spare);
      const { body } = await call<{ data: { branch_iv_id: string }[] }>(service.baseUrl, 'GET /skus?limit=100', {
        token,
      });
      expect(new Set(body.data.map((sku) => sku.branch_iv_id))).toEqual(new Set([ivId]));
    }
  });

  test('finds goods in both languages', async () => {
    const [pharmacy, grocery] = shops;
    if (pharmacy === undefined || grocery === undefined) throw new Error('two shops were promised');
    expect(await total(pharmacy, `/products?search=${encodeURIComponent('بنادول اكسترا')}`)).toBe(4);
    expect(await total(grocery, '/skus?search=ajwa&branch_iv_id=JED-SAFA')).toBe(4);
  });

  test('has an audit of weeks: small changes by people of the shop, and nothing of the load itself', async () => {
    for (const shop of shops) {
      const asked = await call<{ data: { actor: { kind: string; name: string }; at: string }[]; total_count: number }>(
        service.baseUrl,
        'GET /audit?limit=100',
        { token: shop.owner.token },
      );
      // What the operator and the monthly run did stands there too.
      const data = asked.body.data.filter(({ actor }) => actor.kind === 'user');
      // Repricings, recounts, a subscription, the two payment apps that were installed last, and the till's invoices.
      expect(data.length).toBeGreaterThanOrEqual(8 * 3 + 2 * 12 + 1 + 2);
      // With a visit of support.
      expect(asked.body.total_count).toBeLessThanOrEqual(140);
      const names = new Set(data.map(({ actor }) => actor.name));
      expect(names).toEqual(new Set([shop.owner.email, shop.member.email, shop.branch_user.email]));
      expect(new Set(data.map(({ at }) => at.slice(0, 10))).size).toBeGreaterThan(8);
    }
  });
});

describe('a year of orders', () => {
  // The numbers of the first shop are those of src/demo/generate-orders.test.ts.
  test('the second shop has about a tenth of the first one, through every channel', async () => {
    const rows = await service.sql<{ orders: number; days: number; channels: string[] }[]>`
      select count(*) as orders, count(distinct created_at::date) as days, array_agg(distinct app_slug) as channels
      from orders group by organization_id order by 1 desc`;
    expect(rows[0]?.orders).toBeGreaterThan(29_000);
    expect(rows[0]?.orders).toBeLessThan(32_000);
    const share = (rows[1]?.orders ?? 0) / (rows[0]?.orders ?? 1);
    expect([share > 0.08, share < 0.12]).toEqual([true, true]);
    for (const { days, channels } of rows) {
      expect(days).toBeGreaterThanOrEqual(365);
      expect(channels.sort()).toEqual(
        ['amazon-sp', 'api', 'foodics', 'generic', 'hungerstation', 'jahez', 'salla', 'talabat', 'till', 'zid'].sort(),
      );
    }
  });

  test('the first shop has 9,000 customers, of whom a third come back, and 385 products', async () => {
    await salesCaughtUp(service.sql);
    const { total_count: customers } = await get(shops[0], '/customers?limit=1');
    expect([customers > 8_700, customers < 9_300]).toEqual([true, true]);
    const [row] = await service.sql<{ returning: number }[]>`
      select count(*) as returning from customers
      where organization_id = ${shops[0]?.id ?? ''} and branch_id = '00000000-0000-0000-0000-000000000000' and orders > 1`;
    const share = (row?.returning ?? 0) / customers;
    expect([share > 0.28, share < 0.4]).toEqual([true, true]);
    expect((await get(shops[0], '/products?limit=1')).total_count).toBe(385);
  });

  test('stock is believable: no SKU is oversold, some are near their end', async () => {
    const [row] = await service.sql<{ oversold: number; low: number; total: number }[]>`
      select count(*) filter (where current_qty < 0) as oversold, count(*) as total,
             count(*) filter (where current_qty > 0 and current_qty <= reorder_threshold) as low
      from skus where organization_id = ${shops[0]?.id ?? ''}`;
    expect(row?.oversold).toBe(0);
    expect(row?.low).toBeGreaterThan((row?.total ?? 0) * 0.03);
  });

  test('forecasts have history for at least 80 percent of the SKUs, and not all are 0', async () => {
    const countForecasts = async () => {
      const [row] = await service.sql<{ known: number; above_zero: number }[]>`
        select count(*) filter (where demand_class <> 'too_little_history') as known,
               count(*) filter (where 0 < any(qty)) as above_zero
        from forecasts where organization_id = ${shops[0]?.id ?? ''}`;
      return Math.min(row?.known ?? 0, row?.above_zero ?? 0);
    };
    await expect
      .poll(countForecasts, { timeout: 2 * patienceMs() })
      .toBeGreaterThan(0.8 * 385 * PHARMACY_BRANCHES.length);
  });

  test('members were seen, and organizations are older than their first fee', async () => {
    for (const shop of shops) {
      const { data } = await get(shop, '/members');
      expect(data.every(({ last_seen_at }: { last_seen_at: string | null }) => last_seen_at !== null)).toBe(true);
    }
    const young = await service.sql`
      select o.name_en from organizations o join branch_fees f on f.organization_id = o.id
      group by o.id, o.name_en, o.created having min(f.period)::timestamptz < o.created`;
    expect(young).toEqual([]);
  });

  test('the last days of it are in staging too, read, and a few of them failed for all kinds of reasons', async () => {
    for (const shop of shops) {
      const rows = await service.sql<
        { status: string; outcome: string; total: number; linked: number; codes: number }[]
      >`
        select p.status, p.outcome, count(*) as total, count(o.id) as linked, count(distinct error_code) as codes
        from staged_payloads p
        left join orders o on o.organization_id = p.organization_id and o.id = p.order_id
          and o.organization_app_id = p.organization_app_id::text and o.source_transaction_id = p.external_order_id
        where p.organization_id = ${shop.id} group by 1, 2`;
      const by = new Map(rows.map((row) => [`${row.status} ${row.outcome}`.trim(), row]));
      expect([...by.keys()].sort()).toEqual(['failed', 'processed created', 'processed ignored', 'processed updated']);
      expect(by.get('failed')?.codes).toBe(5);
      for (const outcome of ['created', 'updated'] as const) {
        const row = by.get(`processed ${outcome}`);
        expect(row?.total).toBeGreaterThan(shop === shops[0] ? 100 : 8);
        expect(row?.linked).toBe(row?.total);
      }
      const apps = await get(shop, '/apps');
      expect(new Set(apps.data.map((app: { family: string }) => app.family)).size).toBe(7);
      expect(apps.data.every((app: { status: string }) => app.status === 'active')).toBe(true);
    }
  });

  test('old ones are done with, and only what the last days brought is open', async () => {
    const open = await service.sql<{ is_old: boolean; total: number }[]>`
      select created_at < ${new Date(Date.now() - 12 * 86_400_000)} as is_old, count(*) as total
      from orders where is_open group by 1`;
    expect(open.filter((row) => row.is_old)).toEqual([]);
    expect(open[0]?.total).toBeGreaterThan(5);
    const body = await get(shops[0], '/orders/dashboard');
    expect(body.by_status?.delivered).toBeGreaterThan(27_000);
    expect(body.by_status?.cancelled).toBeGreaterThan(500);
    expect(body.by_status?.unknown).toBe(0);
    for (const status of ['received', 'ready_for_pickup', 'dispatched', 'pending_payment']) {
      expect([status, (body.by_status?.[status] ?? 0) > 0]).toEqual([status, true]);
    }
    expect(body.late).toBeGreaterThan(0);
    expect(body.late).toBeLessThan(body.open / 2);
  });

  test('lines name products and SKUs that the shops have', async () => {
    const foreign = await service.sql`
      select o.organization_id, o.destination_id, sku from orders o cross join lateral unnest(o.skus) as sku
      except
      select organization_id, branch_id, iv_id from skus`;
    expect(foreign).toHaveLength(0);
  });

  test('counts, totals and amounts agree with the orders', async () => {
    for (const shop of shops) {
      const { pagination } = await get(shop, '/orders?limit=1');
      const [row] = await service.sql<{ orders: number; wrong: number }[]>`
        select count(*) as orders,
               count(*) filter (where total_amount <> subtotal - discounts_amount + delivery_fee + service_fee) as wrong
        from orders where organization_id = ${shop.id}`;
      expect([pagination?.total_items, 0]).toEqual([row?.orders, row?.wrong]);
    }
  });

  test('the last week has events, and no older order has', async () => {
    await salesCaughtUp(service.sql);
    const [row] = await service.sql<{ oldest: Date; orders: number; with_events: number }[]>`
      select min(occurred_at) as oldest, count(distinct order_id) as with_events,
             (select count(*) from orders where created_at >= ${new Date(Date.now() - 6 * 86_400_000)}) as orders
      from order_events`;
    expect(row?.with_events).toBeGreaterThanOrEqual(row?.orders ?? 0);
    expect(row?.oldest.getTime()).toBeGreaterThan(Date.now() - 8 * 86_400_000);
    const [delivered] = await service.sql<{ id: string; statuses: string[] }[]>`
      select order_id as id, array_agg(body::json ->> 'status_to' order by position) as statuses
      from order_events group by 1 having count(*) = 4 limit 1`;
    expect(delivered?.statuses).toEqual(['received', 'ready_for_pickup', 'dispatched', 'delivered']);
  });

  test('sales and customers are counted from it', async () => {
    await expect.poll(async () => (await service.sql`select 1 from orders_without_events`).length).toBe(0);
    await salesCaughtUp(service.sql);
    for (const shop of shops) {
      const picture = await readPicture(service.sql, shop.id);
      expect(picture).toEqual(await recount(service.sql, shop.id, 'Asia/Riyadh'));
    }
    const customers = await get(shops[1], '/customers?sort=-orders');
    expect(customers.total_count).toBeGreaterThan(800);
    expect(customers.data?.[0]?.orders).toBeGreaterThan(8);
  });
});

describe('the simulator', () => {
  test('places orders through ingest and till, moves them along, and runs in one process at a time', async () => {
    const logins = await readLogins(service.dataDir);
    if (logins === undefined) throw new Error('the demo has no logins');
    const start = () => createSimulator(service.service.app, service.platform, { logins, seed: 2026 });
    const [first, second] = [start(), start()];
    const count = async () => {
      const [row] = await service.sql<
        { orders: number; sales: number; paylinks: number; staged: number; failed: number; moved: number }[]
      >`
        select (select count(*) from orders where created_at > ${startedAt} and app_slug = 'till'
                and organization_id = ${shops[0]?.id ?? ''}) as sales,
               (select count(*) from paylinks where created > ${startedAt}) as paylinks,
               (select count(*) from orders where created_at > ${startedAt} and organization_id = ${shops[0]?.id ?? ''}) as orders,
               (select count(*) from staged_payloads where received_at > ${startedAt} and outcome = 'created') as staged,
               (select count(*) from staged_payloads where received_at > ${startedAt} and status = 'failed') as failed,
               (select count(*) from staged_payloads where received_at > ${startedAt} and outcome = 'updated') as moved`;
      return row ?? { orders: 0, sales: 0, paylinks: 0, staged: 0, failed: 0, moved: 0 };
    };
    const startedAt = new Date();
    const STEPS = 40;
    for (let index = 0; index < STEPS; index += 1) {
      // No order is more than 60 s after the one before.
      aheadMs += 60_000;
      await first.step();
      await second.step();
    }
    await expect.poll(async () => (await count()).orders).toBe(STEPS);
    await expect.poll(async () => (await count()).moved).toBeGreaterThan(10);
    await expect.poll(async () => (await count()).failed).toBeGreaterThanOrEqual(2);
    const { staged, sales, paylinks } = await count();
    expect(staged).toBeGreaterThan(STEPS / 2);
    // At night every eighth order, by day every fourth.
    expect(sales).toBeGreaterThanOrEqual(STEPS / 8);
    expect(paylinks).toBeGreaterThanOrEqual(Math.floor(STEPS / 6));
    const { data } = await get(shops[0], '/providers/tabby/paylinks?limit=100');
    expect(data.some(({ status }: { status: string }) => status === 'created')).toBe(true);
    await first.stop();
    aheadMs += 60_000;
    await second.step();
    await expect.poll(async () => (await count()).orders).toBe(STEPS + 1);
    await second.stop();
  });
});

describe('the sign-in page', () => {
  const ask = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(new URL('/demo/logins', service.baseUrl), { headers });
    return (await answer.json()) as { data: { role: string; email: string; password: string }[] };
  };

  test('gets the demo logins, and only from the same machine', async () => {
    const { data } = await ask();
    expect(data.map(({ role }) => role)).toEqual(['owner', 'member', 'viewer', 'branch_user', 'commercial']);
    expect(data[0]).toMatchObject({ email: shops[0]?.owner.email, password: shops[0]?.owner.password });
    expect(await ask({ 'x-forwarded-for': '203.0.113.9' })).toEqual({ data: [] });
  });
});

// Last: the examples delete and suspend.
describe('the examples of the reference', () => {
  /** They end the session that sends them, or never end. */
  const NOT_SENT = ['logOut', 'streamOrderChanges'];
  /** Ends the session that the example of endSession names. */
  const SENT_LAST = ['endOtherSessions', 'endSupportAccess'];
  /** Their examples contain secrets. */
  const UNKNOWN = ['acceptInvitation', 'resetPassword'];

  // As a start does before it is ready: the examples name a customer, who is counted in the background, and a delivery.
  beforeAll(async () => {
    const { areFiguresComplete } = service.service;
    await awaitDemoFigures(service.platform, { areFiguresComplete, signal: new AbortController().signal });
    await seedDeliveries(service.platform, await readLogins(service.dataDir));
  });

  test('can be sent as they are', async () => {
    const document = (await call<OpenApiDocument>(service.baseUrl, 'GET /openapi.json')).body;
    const operator = (await readLogins(service.dataDir))?.commercial.token;
    const statuses: Record<number, string[]> = {};
    const isSentLast = ({ operation }: DocumentedRoute) => SENT_LAST.includes(operation.operationId ?? '');
    const routes = routesOf(document).toSorted((one, other) => Number(isSentLast(one)) - Number(isSentLast(other)));
    for (const { key, operation } of routes) {
      const content = operation.requestBody?.content;
      const operationId = operation.operationId ?? '';
      if (NOT_SENT.includes(operationId) || (content !== undefined && content['application/json'] === undefined))
        continue;
      const token = key.includes('/commercial/') ? operator : shops[0]?.owner.token;
      const [body] = content === undefined ? [undefined] : examplesOf(content['application/json']);
      const { status } = await call(service.baseUrl, withParameters(key, operation), { token, body });
      statuses[status] = [...(statuses[status] ?? []), operationId];
    }
    expect(statuses[404]?.toSorted()).toEqual(UNKNOWN);
    expect(Object.entries(statuses).filter(([status]) => Number(status) >= 500)).toEqual([]);
    expect((statuses[200]?.length ?? 0) + (statuses[201]?.length ?? 0)).toBeGreaterThan(110);
  });

  function withParameters(key: string, { parameters = [] }: DocumentedRoute['operation']): string {
    const exampleOf = ({ example, examples }: (typeof parameters)[number]) =>
      encodeURIComponent(String(example ?? Object.values(examples ?? {})[0]?.value ?? ''));
    const path = parameters
      .filter((parameter) => parameter.in === 'path')
      .reduce((text, parameter) => text.replace(`{${parameter.name}}`, exampleOf(parameter)), key);
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map((parameter) => `${parameter.name}=${exampleOf(parameter)}`);
    return query.length === 0 ? path : `${path}?${query.join('&')}`;
  }
});
