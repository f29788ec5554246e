import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { exactJson } from '../../channels/testing/calls.ts';
import { inTransaction, TENANT_LOCKS } from '../../platform/database/index.ts';
import { prepareHistory, stageHistory } from './stage-history.ts';
import { SECRET, sign, wooOrder } from './testing/vendor.ts';

let service: TestService;
let shop: TestOrganization;
let install: { id: string; ingest_url: string; ingest_token: string };

const orderOf = (more: object = {}) => wooOrder({ id: 9_007_199_254_740_993n, ...more });

async function send(body: string, headers: Record<string, string> = {}, secret = SECRET) {
  const response = await fetch(`${service.baseUrl}/api/v1/ingest/${install.id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
      ...sign(body, secret),
      ...headers,
    },
    body,
  });
  return { status: response.status, body: (await response.json()) as { data: { staging_id: string } } };
}

async function settled(stagingId: string) {
  const find = async () => (await call(service.baseUrl, `GET /staging/${stagingId}`, { token: shop.owner.token })).body;
  await expect.poll(async () => (await find()).status).not.toBe('pending');
  return find();
}

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  const installed = await call(service.baseUrl, 'POST /apps', {
    token: shop.owner.token,
    body: { app_slug: 'woocommerce', settings: { webhook_secret: SECRET } },
  });
  expect(installed.status).toBe(201);
  install = installed.body.data;
});

describe('a call with a valid signature', () => {
  test("becomes an order with exact numbers, and the vendor's bytes under raw", async () => {
    const { status, body } = await send(exactJson(orderOf()), { 'x-wc-webhook-delivery-id': 'd1' });
    expect(status).toBe(202);
    const row = await settled(body.data.staging_id);
    expect(row).toMatchObject({
      status: 'processed',
      outcome: 'created',
      external_order_id: '9007199254740993',
      error: null,
    });
    const order = await call(service.baseUrl, `GET /orders/${row.order_id}?format=canonical&include=raw`, {
      token: shop.owner.token,
    });
    expect(order.text).toContain('"id":9007199254740993');
    expect(order.body.order).toMatchObject({
      channel: { app_slug: 'woocommerce', organization_app_id: install.id, source: install.id },
      external: { order_id: '9007199254740993', reference: '1042' },
      status: 'received',
      payment: { status: 'paid' },
      amounts: { total: 46, vat: 6, subtotal: 40 },
    });
  });

  test('is stored once when it is repeated', async () => {
    const body = exactJson(orderOf({ id: 2 }));
    const first = await send(body, { 'x-wc-webhook-delivery-id': 'same' });
    const again = await Promise.all(
      Array.from({ length: 10 }, () => send(body, { 'x-wc-webhook-delivery-id': 'same' })),
    );
    expect(again.map((one) => one.body.data.staging_id)).toEqual(again.map(() => first.body.data.staging_id));
  });

  test('is stored with an error when it is not JSON', async () => {
    const { body } = await send('<order/>');
    expect(await settled(body.data.staging_id)).toMatchObject({
      status: 'failed',
      error: { code: 'not_json' },
      payload: '<order/>',
    });
  });

  test('changes nothing when it is older than the stored order', async () => {
    const at = (time: string, more: object) => exactJson(orderOf({ id: 3, date_modified_gmt: time, ...more }));
    await settled((await send(at('2026-11-15T10:00:00', { customer_note: 'second' }))).body.data.staging_id);
    const older = await settled(
      (await send(at('2026-11-15T09:00:00', { customer_note: 'first' }))).body.data.staging_id,
    );
    expect(older.outcome).toBe('unchanged');
    const newer = await settled((await send(at('2026-11-15T11:00:00', { status: 'completed' }))).body.data.staging_id);
    expect(newer.outcome).toBe('updated');
    const order = await call(service.baseUrl, `GET /orders/${newer.order_id}?format=canonical`, {
      token: shop.owner.token,
    });
    // The newest does not mention the note.
    expect(order.body.order).toMatchObject({ status: 'delivered', comment: 'second' });
  });
});

describe('payloads of one batch', () => {
  test('are each counted once, and the last of them decide the install health', async () => {
    const figures = async () => {
      const [row] = await service.sql<[{ processed: number; failed: number }]>`
        select sum(processed)::int as processed, sum(failed)::int as failed from staging_totals`;
      return row;
    };
    const before = await figures();
    const sent: string[] = [];
    // No claim is made while the install's lock is held: what comes meanwhile is one batch.
    await inTransaction(service.sql, async (tx) => {
      await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.stagingInstalls}, hashtext(${install.id}))`;
      sent.push((await send(exactJson(orderOf({ id: 4 })))).body.data.staging_id);
      for (let number = 0; number < 10; number += 1) sent.push((await send(`<order ${number}/>`)).body.data.staging_id);
    });
    const rows = await Promise.all(sent.map(settled));
    expect(rows.map(({ status }) => status)).toEqual(['processed', ...Array(10).fill('failed')]);
    expect(await figures()).toEqual({ processed: before.processed + 1, failed: before.failed + 10 });
    const apps = await call(service.baseUrl, 'GET /apps', { token: shop.owner.token });
    expect(apps.body.data).toMatchObject([{ id: install.id, status: 'failing' }]);
  });
});

describe('a call with an invalid signature', () => {
  test('is refused and not stored', async () => {
    const before = await call(service.baseUrl, 'GET /staging', { token: shop.owner.token });
    expect((await send(exactJson(orderOf()), {}, 'another')).status).toBe(401);
    const after = await call(service.baseUrl, 'GET /staging', { token: shop.owner.token });
    expect(after.body.total_count).toBe(before.body.total_count);
  });
});

describe('calls of the past', () => {
  test('are listed with their own times and can be retried', async () => {
    const receivedAt = new Date(Date.now() - 9 * 86_400_000);
    const past = {
      install: { id: install.id, app_slug: 'woocommerce' },
      headers: { 'content-type': 'application/json' },
      payload: exactJson(orderOf({ id: 77 })),
      event: null,
      externalOrderId: null,
      outcome: '' as const,
      error: { code: 'missing', message: 'total is missing', path: 'total' },
      orderId: null,
      attempts: 1,
      receivedAt,
      processedAt: receivedAt,
    };
    await prepareHistory(service.sql, receivedAt, new Date());
    await inTransaction(service.sql, (tx) =>
      stageHistory(tx, shop.id, [past, { ...past, event: 'coupon.created', outcome: 'ignored', error: null }]),
    );
    const list = () => call(service.baseUrl, 'GET /staging?limit=100', { token: shop.owner.token });
    const rows = (await list()).body.data.filter(
      (row: { received_at: string }) => row.received_at === receivedAt.toISOString(),
    );
    expect(rows.map((row: { status: string }) => row.status).sort()).toEqual(['failed', 'processed']);
    const failed = rows.find((row: { status: string }) => row.status === 'failed');
    expect(failed).toMatchObject({ error: past.error, processed_at: receivedAt.toISOString(), attempts: 1 });
    await call(service.baseUrl, `POST /staging/${failed.id}/retry`, { token: shop.owner.token });
    expect(await settled(failed.id)).toMatchObject({
      status: 'processed',
      outcome: 'created',
      external_order_id: '77',
    });
  });
});
