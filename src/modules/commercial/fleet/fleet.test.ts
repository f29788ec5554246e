import { beforeAll, expect, test } from 'vitest';
import {
  call,
  commercialAccount,
  type ReplyBody,
  type TestAccount,
  testAccount,
  testService,
} from '../../../../test/harness/index.ts';
import { type AnswerCheck, publishedAnswers } from '../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { salesCaughtUp } from '../../sales/testing/caught-up.ts';
import { foldCounts } from './index.ts';
import { bill, openShop } from './testing/fleet.ts';

const clock = movableClock(new Date('2026-03-10T09:00:00Z'));
const service = await testService({}, { clock });
const { sql } = service;
const fleet = { sql, clock };
let operator: TestAccount;
let check: AnswerCheck;

beforeAll(async () => {
  operator = await commercialAccount(sql);
  check = await publishedAnswers(service.baseUrl);
});

async function ask(target: string, body?: unknown): Promise<ReplyBody> {
  const reply = await call(service.baseUrl, target, { token: operator.token, body });
  expect(check(target, reply)).toEqual([]);
  expect(reply.status).toBeLessThan(300);
  return reply.body;
}

const rowOf = async (id: string) =>
  (await ask('GET /commercial/fleet-metrics')).organizations.find((row: ReplyBody) => row.organization_id === id);

test('fleet metrics show counts, sales and payments of each organization', async () => {
  const shop = await openShop(fleet, 'The "quoted" \\ shop\n', 'متجر «س»', 2);
  await testAccount(sql, shop.id, 'viewer');
  const order = (total_amount: number, currency: string, order_status = 'RECEIVED') => ({
    order_status,
    fulfillment_status: 'None',
    skus: ['S'],
    products: [{ product_id: 'P', sku_id: 'S' }],
    total_amount,
    currency,
  });
  for (const body of [order(10.25, 'SAR'), order(20.5, 'SAR'), order(99, 'SAR', 'CANCELLED'), order(50, 'AED')]) {
    expect((await call(service.baseUrl, 'POST /orders', { token: shop.token, body })).status).toBe(201);
  }
  await ask('POST /commercial/payments', {
    organization_id: shop.id,
    amount_sar: 12.34,
    method: 'card',
    reference: 'C',
  });
  await salesCaughtUp(sql);
  const expected = {
    organization_id: shop.id,
    name_en: 'The "quoted" \\ shop\n',
    name_ar: 'متجر «س»',
    is_active: true,
    branch_count: 2,
    user_count: 2,
    order_count: 4,
    order_value: 30.75,
    collected_sar: 12.34,
  };
  expect(await rowOf(shop.id)).toEqual(expected);
  await foldCounts({ sql }, new AbortController().signal);
  expect(await rowOf(shop.id)).toEqual(expected);
  await call(service.baseUrl, 'DELETE /branches/BR-1?force=true', { token: shop.token });
  await sql`delete from memberships where organization_id = ${shop.id} and role = 'viewer'`;
  expect(await rowOf(shop.id)).toEqual({ ...expected, branch_count: 1, user_count: 1 });
  await ask(`POST /commercial/organizations/${shop.id}/suspend`, { reason: 'a test' });
  expect(await rowOf(shop.id)).toMatchObject({ is_active: false });
});

test('fleet metrics include every commit, also of transactions that began before the cached answer', async () => {
  const shop = await openShop(fleet, 'Slow', 'بطيء');
  const named = async () => (await rowOf(shop.id)).name_en;
  expect(await named()).toBe('Slow');
  const written = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const slow = inTransaction(sql, async (tx) => {
    await tx`update organizations set name_en = 'Slow and renamed' where id = ${shop.id}`;
    written.resolve();
    await letGo.promise;
  });
  await written.promise;
  // Another transaction commits meanwhile: the snapshot of the answer that is cached now does not see the open one.
  await openShop(fleet, 'Quick', 'سريع');
  expect(await named()).toBe('Slow');
  expect(await named()).toBe('Slow');
  for (const _ of [1, 2, 3]) await foldCounts({ sql }, new AbortController().signal);
  letGo.resolve();
  await slow;
  expect(await named()).toBe('Slow and renamed');
  // Deleting old changes must not make an outdated cached answer look valid.
  await sql`update organizations set name_en = 'Again' where id = ${shop.id}`;
  // Changes stay while an earlier transaction is open, and the service has its own transactions.
  const changesLeft = async () => {
    await foldCounts({ sql }, new AbortController().signal);
    return sql`select from fleet_changes`;
  };
  await expect.poll(changesLeft).toHaveLength(0);
  expect(await named()).toBe('Again');
});

test('fifty concurrent readers each see their own change', async () => {
  const shops = await Promise.all(Array.from({ length: 50 }, (_, n) => openShop(fleet, `Many ${n}`, 'كثير')));
  const names = await Promise.all(
    shops.map(async ({ id }, n) => {
      await sql`update organizations set name_en = ${`Mine ${n}`} where id = ${id}`;
      return (await rowOf(id)).name_en;
    }),
  );
  expect(names).toEqual(shops.map((_, n) => `Mine ${n}`));
});

test('the accounting overview includes every committed fee, payment and name', async () => {
  const shop = await openShop(fleet, 'Billed', 'مفوتر', 1);
  const overview = () => ask('GET /commercial/accounting-overview');
  const feeOf = async () =>
    (await overview()).recent_branch_fees.find((fee: ReplyBody) => fee.organization_id === shop.id);
  expect(await feeOf()).toBeUndefined();
  await bill(fleet, '2026-04-01T09:00:00Z');
  const fee = await feeOf();
  expect(fee).toMatchObject({ organization_name_en: 'Billed', paid_sar: 0 });
  const collectedSar = (await overview()).totals.cash_collected_sar;
  await ask('POST /commercial/payments', {
    organization_id: shop.id,
    amount_sar: fee.total_sar,
    method: 'card',
    reference: 'F',
  });
  expect(await feeOf()).toMatchObject({ status: 'paid', outstanding_sar: 0 });
  expect((await overview()).totals.cash_collected_sar).toBe(collectedSar + fee.total_sar);
  await sql`update organizations set name_en = 'Billed and renamed' where id = ${shop.id}`;
  expect(await feeOf()).toMatchObject({ organization_name_en: 'Billed and renamed' });
  const [before, after] = [await overview(), await overview()];
  expect(after).toEqual(before);
  clock.advanceMs(60_000);
  expect((await overview()).timestamp).toBe(clock.now().toISOString());
});

test('figures are zero without organizations', async () => {
  const empty = await testService({}, { clock });
  const { token } = await commercialAccount(empty.sql);
  const fleet = await call(empty.baseUrl, 'GET /commercial/fleet-metrics', { token });
  expect(fleet.body).toEqual({
    timestamp: clock.now().toISOString(),
    total_organizations: 0,
    active_organizations: 0,
    inactive_organizations: 0,
    total_branches: 0,
    total_users: 0,
    total_orders: 0,
    total_order_value: 0,
    total_collected_sar: 0,
    collected_last_30d_sar: 0,
    organizations: [],
  });
  const overview = (await call(empty.baseUrl, 'GET /commercial/accounting-overview', { token })).body;
  expect(overview).toMatchObject({ totals: { cash_collected_sar: 0 }, status_breakdown: [], recent_branch_fees: [] });
  expect(Object.values(overview.receivables)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('usage counts orders, deliveries and payloads by day from projections, with members, branches and products', async () => {
  clock.moveTo(new Date('2026-06-10T09:00:00Z'));
  const shop = await openShop(fleet, 'Usage shop', 'متجر الاستخدام', 1);
  const order = {
    order_status: 'RECEIVED',
    fulfillment_status: 'None',
    skus: ['S'],
    products: [{ product_id: 'P', sku_id: 'S' }],
  };
  for (const at of ['2026-06-10T09:00:00Z', '2026-06-11T22:00:00Z', '2026-06-11T22:00:01Z']) {
    clock.moveTo(new Date(at));
    expect((await call(service.baseUrl, 'POST /orders', { token: shop.token, body: order })).status).toBe(201);
  }
  expect((await call(service.baseUrl, 'POST /products', { token: shop.token, body: { iv_id: 'P' } })).status).toBe(201);
  await sql`
    insert into ingest_usage (organization_id, organization_app_id, day, payloads, bytes)
    values (${shop.id}, ${shop.id}, '2026-06-12', 3, 10), (${shop.id}, ${shop.id}, '2026-05-01', 9, 10)`;
  await salesCaughtUp(sql);
  const usage = await ask(`GET /commercial/organizations/${shop.id}/usage?days=3`);
  // 22:00 in UTC is the next day in Riyadh.
  expect(usage).toEqual({
    organization_id: shop.id,
    days: [
      { date: '2026-06-10', orders: 1, webhook_deliveries: 0, ingest: 0 },
      { date: '2026-06-11', orders: 0, webhook_deliveries: 0, ingest: 0 },
      { date: '2026-06-12', orders: 2, webhook_deliveries: 0, ingest: 3 },
    ],
    totals: { orders: 3, webhook_deliveries: 0, ingest: 3 },
    users: 1,
    branches: 1,
    products: 1,
  });
  expect((await ask(`GET /commercial/organizations/${shop.id}/usage`)).days).toHaveLength(30);
  const status = async (target: string, token = operator.token) =>
    (await call(service.baseUrl, target, { token })).status;
  expect(await status('GET /commercial/organizations/nonsense/usage')).toBe(404);
  for (const days of ['0', '31', 'x']) {
    expect(await status(`GET /commercial/organizations/${shop.id}/usage?days=${days}`)).toBe(400);
  }
  expect(await status(`GET /commercial/organizations/${shop.id}/usage`, shop.token)).toBe(403);
});

test('online payments are refused unless BILLING_PAYMENTS enables them', async () => {
  const shop = await openShop(fleet, 'Unable to pay', 'متجر', 0);
  const reply = await call(service.baseUrl, 'POST /billing/payments', { token: shop.token, body: { amount_sar: 5 } });
  expect([reply.status, reply.headers.get('x-error-reason')]).toEqual([409, 'online-payments-are-off']);
});
