import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  commercialAccount,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { type MovableClock, movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import type { Tenant } from '../../identity/index.ts';
import { fillOrders } from '../testing/fill-orders.ts';
import { newOrder } from '../testing/new-order.ts';
import { trackReads } from '../testing/track-reads.ts';
import { readDashboard } from './dashboard.ts';

/** Half past noon in Riyadh, whose days begin at 21:00 UTC. */
const NOON = new Date('2026-11-15T09:30:00Z');
const olaya = newId();
const malaz = newId();
const jahez = newId();

let clock: MovableClock;
let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  clock = movableClock(NOON);
  service = await testService({}, { clock });
  shop = await testOrganization(service.sql);
  const { sql } = service;
  for (const [id, name] of [
    [olaya, 'Olaya'],
    [malaz, 'Malaz'],
  ] as const) {
    await sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
              values (${shop.id}, ${id}, ${name}, ${name}, ${NOON}, ${NOON})`;
  }
  await sql`insert into app_installs (organization_id, id, app_slug, name_en, name_ar, family, kind, created, updated)
            values (${shop.id}, ${jahez}, 'jahez', 'Jahez', 'جاهز', 'delivery_app', 'app', ${NOON}, ${NOON})`;
});

const as = (token: string, target: string, body?: unknown) => call(service.baseUrl, target, { token, body });
const dashboard = async (token = shop.owner.token) => {
  const { status, body } = await as(token, 'GET /orders/dashboard');
  expect(status).toBe(200);
  return body;
};
async function place(fields: Record<string, unknown>): Promise<string> {
  const { status, body } = await as(shop.owner.token, 'POST /orders', newOrder(fields));
  expect(status).toBe(201);
  return body.data?.id ?? '';
}

describe('GET /orders/dashboard', () => {
  test('returns zeros and every status for a tenant without orders', async () => {
    const { owner, id } = await testOrganization(service.sql);
    expect(await dashboard(owner.token)).toEqual({
      organization_id: id,
      today: { orders: 0, revenue: 0 },
      open: 0,
      late: 0,
      by_status: {
        received: 0,
        ready_for_pickup: 0,
        dispatched: 0,
        delivered: 0,
        cancelled: 0,
        pending_payment: 0,
        unknown: 0,
      },
      by_channel: [],
      by_branch: [],
    });
  });

  test('counts orders as soon as they are placed', async () => {
    // One millisecond before today began.
    clock.moveTo(new Date('2026-11-14T20:59:59.999Z'));
    await place({ order_status: 'DELIVERED', total_amount: 1000, destination: olaya });
    clock.moveTo(new Date('2026-11-14T21:00:00.000Z'));
    await place({ order_status: 'RECEIVED', total_amount: 0.1, destination: olaya, source: jahez });
    clock.moveTo(NOON);
    await place({
      order_status: 'preparing',
      total_amount: 0.2,
      destination: olaya,
      promised_for: '2026-11-15T09:29:59Z',
    });
    await place({ order_status: 'ready', total_amount: 5, destination: malaz, promised_for: '2026-11-15T09:31:00Z' });
    await place({ order_status: 'Completed', total_amount: 7, promised_for: '2026-11-15T08:00:00Z' });
    await place({ order_status: 'rejected', total_amount: 11, destination: malaz });
    await place({ order_status: 'DELIVERED', total_amount: 13, payment_status: 'refunded', source: jahez });
    await place({ order_status: 'on hold', total_amount: 17, currency: 'USD' });

    expect(await dashboard()).toEqual({
      organization_id: shop.id,
      // Neither the cancelled nor the refunded, nor dollars among riyals; and exact to the last digit.
      today: { orders: 7, revenue: 12.3 },
      open: 4,
      late: 1,
      by_status: {
        received: 2,
        ready_for_pickup: 1,
        dispatched: 0,
        delivered: 3,
        cancelled: 1,
        pending_payment: 0,
        unknown: 1,
      },
      by_channel: [
        { app_slug: 'api', orders: 5, revenue: 12.2 },
        { app_slug: 'jahez', orders: 2, revenue: 0.1 },
      ],
      by_branch: [
        { branch_id: null, store_name: null, orders: 3, revenue: 7 },
        { branch_id: malaz, store_name: 'Malaz', orders: 2, revenue: 5 },
        { branch_id: olaya, store_name: 'Olaya', orders: 2, revenue: 0.3 },
      ],
    });
  });

  test('counts as open and late exactly the orders that the list returns for these states', async () => {
    const { token: confined } = await testAccount(service.sql, shop.id, 'member', { branchId: malaz });
    for (const token of [shop.owner.token, confined]) {
      const figures = await dashboard(token);
      for (const state of ['open', 'late'] as const) {
        const { status, body } = await as(token, `GET /orders?state=${state}&limit=2`);
        expect(status).toBe(200);
        expect(body.pagination.total_items).toBe(figures[state]);
        expect(body.orders).toHaveLength(Math.min(2, Number(figures[state])));
      }
    }
    const sorted = await as(
      shop.owner.token,
      'GET /orders?state=open&sort=total_amount&page=2&limit=3&format=canonical',
    );
    expect(sorted.body.orders.map((order: ReplyBody) => order.amounts?.total)).toEqual([17]);
    expect((await as(shop.owner.token, 'GET /orders?state=closed')).status).toBe(400);
    const exported = await as(shop.owner.token, 'GET /orders/dashboard/export?state=late');
    expect(exported.text.trim().split('\r\n')).toHaveLength(2);
  });

  test('changes when an order moves, is cancelled or is deleted', async () => {
    const before = await dashboard();
    const id = await place({ order_status: 'received', total_amount: 40, destination: malaz });
    const placed = await dashboard();
    expect(placed.today?.revenue).toBeCloseTo(Number(before.today?.revenue) + 40, 6);
    expect(placed.open).toBe(Number(before.open) + 1);
    await as(shop.owner.token, `PATCH /orders/${id}/status`, { order_status: 'cancelled' });
    const cancelled = await dashboard();
    expect(cancelled.today).toEqual({ orders: Number(before.today?.orders) + 1, revenue: before.today?.revenue });
    expect(cancelled.open).toBe(before.open);
    await as(shop.owner.token, 'DELETE /orders/bulk', [id]);
    expect(await dashboard()).toEqual(before);
  });

  test('rounds sums to the digits of the currency, and not each amount', async () => {
    const { owner } = await testOrganization(service.sql);
    for (const total_amount of [1.004, 1.004, 1.004]) {
      await as(owner.token, 'POST /orders', newOrder({ total_amount }));
    }
    const seen = await dashboard(owner.token);
    expect(seen.today).toEqual({ orders: 3, revenue: 3.01 });
    expect(seen.by_channel).toMatchObject([{ revenue: 3.01 }]);
    expect(seen.by_branch).toMatchObject([{ revenue: 3.01 }]);
  });

  test('contains only the branch of a confined account', async () => {
    const { token } = await testAccount(service.sql, shop.id, 'member', { branchId: malaz });
    const seen = await dashboard(token);
    expect(seen).toMatchObject({ today: { orders: 2, revenue: 5 }, open: 1, late: 0 });
    expect(seen.by_branch).toEqual([{ branch_id: malaz, store_name: 'Malaz', orders: 2, revenue: 5 }]);
    expect(seen.by_channel).toEqual([{ app_slug: 'api', orders: 2, revenue: 5 }]);
    const statuses = Object.values(seen.by_status ?? {}) as ReplyBody[];
    expect(statuses.reduce((sum, count) => sum + Number(count), 0)).toBe(2);
  });

  test("begins a new day at midnight in the organization's time zone", async () => {
    clock.moveTo(new Date('2026-11-15T21:00:00.000Z'));
    expect(await dashboard()).toMatchObject({ today: { orders: 0, revenue: 0 }, by_channel: [], by_branch: [] });
    clock.moveTo(NOON);
  });

  test('is an expensive read on a day with many orders and with many late orders', async () => {
    const reads = async (organizationId: string, at: string) => {
      const { sql, used } = trackReads(service.sql);
      const tenant = { organizationId, branchId: null, timeZone: 'Asia/Riyadh' } as Tenant;
      await readDashboard(sql, movableClock(new Date(at)), tenant);
      return [...used].sort();
    };
    const busy = await testOrganization(service.sql);
    await fillOrders(service.sql, { organizationId: busy.id, count: 6_000 });
    expect(await reads(shop.id, '2026-11-15T09:30:00Z')).toEqual(['quick']);
    expect(await reads(busy.id, '2026-11-15T09:30:00Z')).toEqual(['quick']);
    expect(await reads(busy.id, '2026-01-01T12:00:00Z')).toEqual(['quick', 'slow']);
    await service.sql`update orders set promised_for = created_at, is_open = true where organization_id = ${busy.id}`;
    expect(await reads(busy.id, '2026-11-15T09:30:00Z')).toEqual(['quick', 'slow']);
  });

  test('refuses requests without a token, of an operator, and without the grant to read orders', async () => {
    expect((await call(service.baseUrl, 'GET /orders/dashboard')).status).toBe(401);
    const operator = await commercialAccount(service.sql);
    expect((await as(operator.token, 'GET /orders/dashboard')).status).toBe(403);
    const shut = await testAccount(service.sql, shop.id, 'member', { withheld: ['read:Orders'] });
    expect((await as(shut.token, 'GET /orders/dashboard')).status).toBe(403);
  });

  test('is available to a viewer', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await as(viewer.token, 'GET /orders/dashboard')).status).toBe(200);
  });
});
