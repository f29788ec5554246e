import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  testDatabase,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { eventsOf } from '../events/index.ts';
import { eventsBehind } from '../events/testing/events-behind.ts';

const KEY = 'ab'.repeat(32);
let lastId = 9000;

type Sale = { order: string; amount: number; type?: string; parent?: string; at?: Date };

/** A shop with PayTabs, which signs the whole body, at a service that can be restarted. */
function shopAt(baseUrl: string, shop: TestOrganization) {
  const ask = (target: string, options = {}) =>
    call<ReplyBody>(baseUrl, target, { token: shop.owner.token, ...options });
  return {
    ask,
    async install(): Promise<string> {
      const body = { app_slug: 'paytabs-sync', settings: { webhook_secret: KEY } };
      return (await ask('POST /apps', { body })).body.data.id;
    },
    async pay(installId: string, { order, amount, type = 'Sale', parent, at = new Date() }: Sale): Promise<string> {
      lastId += 1;
      const reference = `T${lastId}`;
      const raw = JSON.stringify({
        tran_ref: reference,
        tran_type: type,
        previous_tran_ref: parent,
        cart_id: order,
        cart_amount: amount.toFixed(2),
        cart_currency: 'SAR',
        tran_total: amount.toFixed(2),
        tran_currency: 'SAR',
        payment_result: { response_status: 'A', transaction_time: at.toISOString() },
      });
      const signature = createHmac('sha256', KEY).update(raw).digest('hex');
      const headers = { 'content-type': 'application/json', signature };
      const sent = await call<ReplyBody>(baseUrl, `POST /ingest/${installId}`, { raw, headers });
      expect(sent.status, sent.text).toBe(200);
      const { staging_id } = sent.body.data;
      await expect.poll(async () => (await ask(`GET /staging/${staging_id}`)).body.status).toBe('processed');
      return reference;
    },
    async order(total: number, more: object = {}): Promise<string> {
      const body = {
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        total_amount: total,
        currency: 'SAR',
        skus: ['P_B'],
        products: [{ product_id: 'P', sku_id: 'P_B' }],
        ...more,
      };
      const reply = await ask('POST /orders', { body });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.data.id;
    },
    paymentOf: async (id: string) => (await ask(`GET /orders/${id}`)).body.order.payment_status,
    async find(reference: string): Promise<ReplyBody> {
      const { data } = (await ask('GET /payments/transactions?limit=100')).body;
      return data.find((row: ReplyBody) => row.provider_reference === reference);
    },
  };
}

async function openShop(options: Parameters<typeof testService>[1] = {}) {
  const database = await testDatabase();
  const organization = await testOrganization(database.sql);
  const service = await testService({}, { ...options, database });
  const shop = shopAt(service.baseUrl, organization);
  return { database, organization, service, shop, install: await shop.install() };
}

/** All events are followed and nothing is left to be matched: what has not happened by then does not happen. */
async function caughtUp(sql: Awaited<ReturnType<typeof openShop>>['database']['sql']) {
  const isBehind = async () => {
    const due = await sql`select 1 from gateway_transactions where match_due`;
    return due.length + (await eventsBehind(sql, 'payments'));
  };
  await expect.poll(isBehind).toBe(0);
}

describe('a transaction that arrives before its order', () => {
  test('is matched by its reference when the order arrives, and pays it once', async () => {
    const { service, organization, shop, install } = await openShop();
    const reference = await shop.pay(install, { order: 'WEB-77', amount: 61 });
    expect((await shop.find(reference)).order_id).toBeNull();
    const other = await shop.order(61.5, { source_reference: 'WEB-78' });
    const id = await shop.order(61, { source_reference: 'WEB-77' });
    await expect.poll(() => shop.find(reference)).toMatchObject({ order_id: id, matched_by: 'reference' });
    await expect.poll(() => shop.paymentOf(id)).toBe('completed');
    await caughtUp(service.sql);
    expect(await shop.paymentOf(other)).toBe('pending');
    const events = await service.sql`
      select type from ${eventsOf(service.sql, organization.id)} where order_id = ${id} order by position`;
    expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.updated']);
    const audited = await service.sql`select 1 from audit_entries where action = 'match'`;
    expect(audited).toHaveLength(1);
  });

  test('is matched by amount and time if it names no known order', async () => {
    const { service, shop, install } = await openShop();
    const reference = await shop.pay(install, { order: 'cart-1', amount: 62.25 });
    const late = await shop.pay(install, { order: 'cart-2', amount: 63, at: new Date(Date.now() - 11 * 60_000) });
    const id = await shop.order(62.25);
    await shop.order(63);
    await expect.poll(() => shop.find(reference)).toMatchObject({ order_id: id, matched_by: 'amount_and_time' });
    await caughtUp(service.sql);
    expect((await shop.find(late)).order_id).toBeNull();
  });

  test('and its refund change the order in either order of arrival', async () => {
    const { shop, install } = await openShop();
    // The refund is here before the payment that it belongs to.
    const refund = await shop.pay(install, { order: 'x', amount: 64, type: 'Refund', parent: `T${lastId + 2}` });
    const payment = await shop.pay(install, { order: 'WEB-64', amount: 64 });
    const id = await shop.order(64, { source_reference: 'WEB-64' });
    await expect.poll(() => shop.find(payment)).toMatchObject({ order_id: id });
    await expect.poll(() => shop.find(refund)).toMatchObject({ order_id: id, matched_by: 'reference' });
    await expect.poll(() => shop.paymentOf(id)).toBe('refunded');
  });

  test('of another amount stays unmatched until the order has that total', async () => {
    const { service, shop, install } = await openShop();
    const reference = await shop.pay(install, { order: 'WEB-65', amount: 65 });
    const id = await shop.order(56, { source_reference: 'WEB-65' });
    await caughtUp(service.sql);
    expect((await shop.find(reference)).order_id).toBeNull();
    const body = {
      order_status: 'RECEIVED',
      fulfillment_status: 'None',
      total_amount: 65,
      currency: 'SAR',
      source_reference: 'WEB-65',
      skus: ['P_B'],
      products: [{ product_id: 'P', sku_id: 'P_B' }],
    };
    expect((await shop.ask(`PUT /orders/${id}`, { body })).status).toBe(200);
    await expect.poll(() => shop.find(reference)).toMatchObject({ order_id: id });
    await expect.poll(() => shop.paymentOf(id)).toBe('completed');
  });

  test('is retried for 24 hours', async () => {
    const clock = movableClock(new Date());
    const { service, shop, install } = await openShop({ clock });
    const old = await shop.pay(install, { order: 'WEB-66', amount: 66 });
    clock.advanceMs(24 * 3_600_000 + 1_000);
    const young = await shop.pay(install, { order: 'WEB-67', amount: 67 });
    await shop.order(66, { source_reference: 'WEB-66' });
    const id = await shop.order(67, { source_reference: 'WEB-67' });
    await expect.poll(() => shop.find(young)).toMatchObject({ order_id: id });
    await caughtUp(service.sql);
    expect((await shop.find(old)).order_id).toBeNull();
  });

  test('is matched after a restart at any point', async () => {
    const { database, organization, service, shop, install } = await openShop();
    const [one, two] = [
      await shop.pay(install, { order: 'WEB-68', amount: 68 }),
      await shop.pay(install, { order: 'WEB-69', amount: 69 }),
    ];
    await service.stop();
    // The order is placed while no worker runs; the other's process ended between the mark and the match.
    const api = await testService({ DUKKAN_ROLES: 'api' }, { database });
    const beside = shopAt(api.baseUrl, organization);
    const first = await beside.order(68, { source_reference: 'WEB-68' });
    await api.stop();
    await database.sql`update gateway_transactions set match_due = true where provider_reference = ${two}`;
    await database.sql`update gateway_transactions set merchant_reference = ${first} where provider_reference = ${two}`;
    const again = shopAt((await testService({}, { database })).baseUrl, organization);
    await expect.poll(() => again.find(one)).toMatchObject({ order_id: first });
    await expect.poll(() => again.paymentOf(first)).toBe('completed');
    await caughtUp(database.sql);
    // Named, but of another amount: tried, and left for a person.
    expect((await again.find(two)).order_id).toBeNull();
  });

  test('of one tenant is not matched with an order of another', async () => {
    const { database, service, shop, install } = await openShop();
    const other = shopAt(service.baseUrl, await testOrganization(database.sql));
    const reference = await shop.pay(install, { order: 'WEB-70', amount: 70 });
    const id = await other.order(70, { source_reference: 'WEB-70' });
    await caughtUp(service.sql);
    expect((await shop.find(reference)).order_id).toBeNull();
    expect(await other.paymentOf(id)).toBe('pending');
  });
});

test('a transaction that arrives after its order is matched at once', async () => {
  const { shop, install } = await openShop();
  const id = await shop.order(71, { source_reference: 'WEB-71' });
  const reference = await shop.pay(install, { order: 'WEB-71', amount: 71 });
  expect(await shop.find(reference)).toMatchObject({ order_id: id, matched_by: 'reference' });
  expect(await shop.paymentOf(id)).toBe('completed');
});
