import { beforeAll, describe, expect, test } from 'vitest';
import { loadDemo } from '../../src/demo/index.ts';
import { type DemoOrganization, readLogins } from '../../src/demo/logins.ts';
import { salesCaughtUp } from '../../src/modules/sales/testing/caught-up.ts';
import { readPicture, recount } from '../../src/modules/sales/testing/recount.ts';
import { call, type TestService, testService } from '../harness/index.ts';

let service: TestService;
let shops: DemoOrganization[];

beforeAll(async () => {
  service = await testService();
  await loadDemo(service.platform, { onlyWhenEmpty: true });
  shops = (await readLogins(service.dataDir))?.organizations ?? [];
});

const get = async (shop: DemoOrganization | undefined, path: string) => {
  const { status, body } = await call(service.baseUrl, `GET ${path}`, { token: shop?.owner.token });
  expect(status).toBe(200);
  return body;
};

describe('a year of orders', () => {
  test('some twenty thousand over both shops, through every channel', async () => {
    const [row] = await service.sql<{ orders: number; days: number; channels: string[] }[]>`
      select count(*) as orders, count(distinct created_at::date) as days, array_agg(distinct app_slug) as channels
      from orders`;
    expect(row?.orders).toBeGreaterThan(19_000);
    expect(row?.orders).toBeLessThan(21_000);
    expect(row?.days).toBeGreaterThanOrEqual(365);
    expect(row?.channels?.sort()).toEqual(
      ['amazon-sp', 'api', 'foodics', 'hungerstation', 'jahez', 'salla', 'talabat', 'zid'].sort(),
    );
  });

  test('old ones are done with, and only what the last days brought is open', async () => {
    const open = await service.sql<{ is_old: boolean; total: number }[]>`
      select created_at < ${new Date(Date.now() - 12 * 86_400_000)} as is_old, count(*) as total
      from orders where is_open group by 1`;
    expect(open.filter((row) => row.is_old)).toEqual([]);
    expect(open[0]?.total).toBeGreaterThan(5);
    const body = await get(shops[0], '/orders/dashboard');
    expect(body.by_status?.delivered).toBeGreaterThan(7_000);
    expect(body.by_status?.cancelled).toBeGreaterThan(150);
    expect(body.by_status?.unknown).toBe(0);
  });

  test('lines name products and SKUs that the shops have', async () => {
    const strangers = await service.sql`
      select o.organization_id, o.destination_id, sku from orders o cross join lateral unnest(o.skus) as sku
      except
      select organization_id, branch_id, iv_id from skus`;
    expect(strangers).toHaveLength(0);
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

  test('the last week is told, event by event; nothing older is', async () => {
    await salesCaughtUp(service.sql);
    const [row] = await service.sql<{ oldest: Date; orders: number; told: number }[]>`
      select min(occurred_at) as oldest, count(distinct order_id) as told,
             (select count(*) from orders where created_at >= ${new Date(Date.now() - 6 * 86_400_000)}) as orders
      from order_events`;
    expect(row?.told).toBeGreaterThanOrEqual(row?.orders ?? 0);
    expect(row?.oldest.getTime()).toBeGreaterThan(Date.now() - 8 * 86_400_000);
    const [told] = await service.sql<{ id: string; statuses: string[] }[]>`
      select order_id as id, array_agg(body::json ->> 'status_to' order by position) as statuses
      from order_events group by 1 having count(*) = 4 limit 1`;
    expect(told?.statuses).toEqual(['received', 'ready_for_pickup', 'dispatched', 'delivered']);
  });

  test('sales and customers are counted from it', async () => {
    await expect.poll(async () => (await service.sql`select 1 from untold_orders`).length).toBe(0);
    await salesCaughtUp(service.sql);
    for (const shop of shops) {
      const picture = await readPicture(service.sql, shop.id);
      expect(picture).toEqual(await recount(service.sql, shop.id, 'Asia/Riyadh'));
    }
    const customers = await get(shops[1], '/customers?sort=-orders');
    expect(customers.total_count).toBeGreaterThan(1_500);
    expect(customers.data?.[0]?.orders).toBeGreaterThan(20);
  });
});
