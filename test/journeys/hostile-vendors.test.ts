import { afterEach, describe, expect, test, vi } from 'vitest';
import { findApp } from '../../src/modules/apps/index.ts';
import { SECRET, vendorOf, wooOrder } from '../../src/modules/staging/testing/vendor.ts';
import { newId } from '../../src/platform/ids.ts';
import { call, patienceMs, type ReplyBody, testOrganization } from '../harness/index.ts';
import { type Installed, testVendorShop } from '../vendors/vendor-shop.ts';

const shop = await testVendorShop();
const { service, ask, vendors, install, make, send, settled } = shop;
const { sql } = service;
const other = await testOrganization(sql);
const otherShop = vendorOf(service, other);

afterEach(() => {
  vendors.clearFaults();
  vendors.forgetCalls();
});

/** Without an answer from this vendor nothing of it is ever settled. */
const pendingOf = async (installId: string) => {
  const { body } = await ask(`GET /staging?organization_app_id=${installId}&status=pending&limit=1`);
  return body.total_count as number;
};

const moyasarNotice = (id: string) =>
  JSON.stringify({
    id: newId(),
    type: 'payment_paid',
    secret_token: SECRET,
    created_at: new Date().toISOString(),
    data: { id, status: 'paid', amount: 4600, currency: 'SAR', fee: 100, refunded: 0, metadata: { order_id: id } },
  });

async function sendPayment(installId: string): Promise<void> {
  const reply = await call<ReplyBody>(service.baseUrl, `POST /ingest/${installId}`, {
    raw: moyasarNotice(newId()),
    headers: { 'content-type': 'application/json' },
  });
  expect(reply.status, reply.text).toBe(202);
}

describe('a vendor that hangs', () => {
  test("delays no other tenant's order, however many of its payments wait for a read-back", async () => {
    const settings = {
      webhook_secret: SECRET,
      access_token: 'sk_test',
      api_base_url: vendors.baseUrlOf('moyasar-sync'),
    };
    const installed = await ask('POST /apps', { body: { app_slug: 'moyasar-sync', settings } });
    expect(installed.status, installed.text).toBe(201);
    const { id } = installed.body.data;
    vendors.addFault({ vendor: 'moyasar-sync', kind: 'hang' });
    for (let sent = 0; sent < 12; sent += 1) await sendPayment(id);
    await vi.waitFor(() => expect(vendors.calls('moyasar-sync')).toHaveLength(4), { timeout: patienceMs() });

    const quiet = await otherShop.install();
    const order = await otherShop.settled(await otherShop.sendOrder(quiet, wooOrder({ id: 9001 })));
    expect(order).toMatchObject({ status: 'processed', outcome: 'created' });
    // The order was read while all payments were still waiting: nothing was waited for.
    expect(await pendingOf(id)).toBe(12);
    expect(vendors.calls('moyasar-sync')).toHaveLength(4);
    expect((await ask(`DELETE /apps/${id}`)).status).toBe(200);
  });

  test('holds four calls of an install; another tenant has its order fetched meanwhile', async () => {
    const uber = await install('ubereats');
    const squareOf = async (): Promise<Installed> => {
      const mine = await install('square');
      const { body } = await ask('GET /apps');
      const { settings } = body.data.find((row: { id: string }) => row.id === mine.id);
      const copied = { ...settings, webhook_secret: mine.secret, access_token: 'sq_other' };
      const reply = await call<ReplyBody>(service.baseUrl, 'POST /apps', {
        token: other.owner.token,
        body: { app_slug: 'square', settings: { ...copied, branch_iv_id: null, branches: {} } },
      });
      expect(reply.status, reply.text).toBe(201);
      return { slug: 'square', ...reply.body.data, secret: mine.secret };
    };
    const square = await squareOf();
    vendors.addFault({ vendor: 'ubereats', method: 'GET', kind: 'hang' });
    for (let sent = 0; sent < 130; sent += 1) await send(uber, make('ubereats'));
    const uberFetches = () => vendors.calls('ubereats').filter(({ method }) => method === 'GET');
    await vi.waitFor(() => expect(uberFetches()).toHaveLength(4), { timeout: patienceMs() });

    const { stagingId } = await send(square, make('square'));
    const row = async () =>
      (await call<ReplyBody>(service.baseUrl, `GET /staging/${stagingId}`, { token: other.owner.token })).body;
    await expect.poll(async () => (await row()).status).toBe('processed');
    expect(await row()).toMatchObject({ outcome: 'created' });
    expect(uberFetches()).toHaveLength(4);
    expect(await pendingOf(uber.id)).toBe(130);
    expect((await ask(`DELETE /apps/${uber.id}`)).status).toBe(200);
  });
});

describe('a vendor that answers without end', () => {
  test('has its order fail for good once a whole fetch is over its budget', async () => {
    const amazon = await install('amazon-sp');
    const items = `{"payload":{"OrderItems":[${'{"a":[{},{}]},'.repeat(4_000)}{}],"NextToken":"again"}}`;
    vendors.addFault({ vendor: 'amazon-sp', path: /orderItems$/, kind: 'lie', body: items });
    const row = await settled((await send(amazon, make('amazon-sp'))).stagingId);
    expect(row).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code: 'vendor_answer_too_large', message: expect.stringContaining('values') },
    });
    // Some 24,000 values a page: two pages fit 50,000 values, the third does not.
    expect(vendors.calls('amazon-sp').filter(({ path }) => path.endsWith('orderItems'))).toHaveLength(3);
  });

  test('is read no further than the bytes of a whole fetch', async () => {
    const amazon = await install('amazon-sp');
    const items = `{"payload":{"OrderItems":[{"Title":"${'x'.repeat(900_000)}"}],"NextToken":"again"}}`;
    vendors.addFault({ vendor: 'amazon-sp', path: /orderItems$/, kind: 'lie', body: items });
    const row = await settled((await send(amazon, make('amazon-sp'))).stagingId);
    expect(row).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'vendor_answer_too_large' } });
    expect(vendors.calls('amazon-sp').filter(({ path }) => path.endsWith('orderItems'))).toHaveLength(3);
  });
});

describe('a body of too many values', () => {
  const body = `[1234567890123456,${'{},'.repeat(650_000)}{}]`;

  test.each(['moyasar-sync', 'tap-sync', 'myfatoorah-sync'])('to %s is refused, and verified once', async (slug) => {
    const inbound = findApp(slug)?.inbound;
    if (inbound === undefined) throw new Error(`${slug} takes no calls`);
    const made = await ask('POST /apps', { body: { app_slug: slug, settings: { webhook_secret: SECRET } } });
    expect(made.status, made.text).toBe(201);
    const verify = vi.spyOn(inbound, 'verify');
    const reply = await call(service.baseUrl, `POST /ingest/${made.body.data.id}`, {
      raw: body,
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.status).toBe(401);
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });

  test('that is signed is stored, and fails with the reason', async () => {
    const installId = await otherShop.install();
    const reply = await otherShop.send({ installId, body });
    expect(reply.status).toBe(202);
    expect(await otherShop.settled(reply.body.data.staging_id)).toMatchObject({
      status: 'failed',
      error: { code: 'too_many_values' },
    });
  });
});

describe('work that was under way when its process died', () => {
  /** As a dead process leaves it: claimed, counted, and its lease over. */
  async function abandon(stagingId: string, attempts: number): Promise<void> {
    await sql`
      update staging_queue set claim_id = ${newId()}, attempts = ${attempts}, due_at = now() - interval '1 second'
      where staging_id = ${stagingId}`;
    await sql`select pg_notify('staging_queue', 'test')`;
  }

  test('counts as an attempt, and is tried again', async () => {
    const installId = await otherShop.install();
    const news = await otherShop.sendOrder(installId, { id: 31 }, { 'x-wc-webhook-topic': 'order.deleted' });
    await expect.poll(async () => (await otherShop.staged(news)).attempts).toBeGreaterThanOrEqual(1);
    await sql`update staging_queue set due_at = now() + interval '1 hour' where staging_id = ${news}`;
    await otherShop.settled(await otherShop.sendOrder(installId, wooOrder({ id: 31 })));
    await abandon(news, 3);
    expect(await otherShop.settled(news)).toMatchObject({ status: 'processed', attempts: 4 });
  });

  test('is left to a person after the last attempt, whatever it would have become', async () => {
    const installId = await otherShop.install();
    const news = await otherShop.sendOrder(installId, { id: 32 }, { 'x-wc-webhook-topic': 'order.deleted' });
    await expect.poll(async () => (await otherShop.staged(news)).attempts).toBeGreaterThanOrEqual(1);
    // Six waits, so seven attempts.
    await abandon(news, 7);
    expect(await otherShop.settled(news)).toMatchObject({
      status: 'failed',
      attempts: 7,
      error: { code: 'abandoned', message: expect.stringContaining('stopped') },
    });
    expect((await otherShop.ask(`POST /staging/${news}/retry`)).status).toBe(202);
  });
});
