import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { forgetOldKeys } from '../../platform/http/idempotent-write.ts';
import { ORDER, openBnplShop, paylinks, SLUGS } from './testing/bnpl-shop.ts';

const { at, made, agree, capture } = await openBnplShop();
afterEach(() => at.vendors.clearFaults());
afterAll(() => at.vendors.close());

/** Expires all keys that were used so far. */
async function expireKeys(): Promise<void> {
  await forgetOldKeys(at.service.sql, new Date(Date.now() + 1_000));
  await at.service.sql`update paylink_captures set created = created - interval '49 hours'`;
}
const pagesAt = () => at.vendors.shop(SLUGS.tabby).payments.size;
const payFor = (total: number, headers: Record<string, string>) =>
  at.ask('POST /payments/orders', {
    body: {
      providers: ['tabby'],
      order: { ...ORDER, total_amount: total, line_items: [{ sku: 'HON-1', name: 'Honey', qty: 1, price: total }] },
    },
    headers,
  });
const create = (amount: number, headers: Record<string, string>) =>
  at.ask(`POST ${paylinks('tabby')}`, { body: { amount, currency: 'SAR' }, headers });
const paylinkOf = async (orderId: string) => (await at.ask(`GET ${paylinks('tabby')}?order_id=${orderId}`)).body.data;

describe('an idempotency key that has expired', () => {
  test('creates a new payment order with its own payment page', async () => {
    const headers = { 'idempotency-key': 'payment-order-key' };
    const first = (await payFor(70.5, headers)).body.data;
    const other = await payFor(10, headers);
    expect([other.status, other.body.error]).toEqual([422, 'Idempotency key reused']);
    await expireKeys();
    const second = await payFor(10, headers);
    expect(second.status, second.text).toBe(201);
    expect(second.body.data.order_id).not.toBe(first.order_id);
    expect(second.body.data.next_action.url).not.toBe(first.next_action.url);
    const [[old], [fresh]] = [await paylinkOf(first.order_id), await paylinkOf(second.body.data.order_id)];
    expect([old.amount, fresh.amount]).toEqual([70.5, 10]);
    expect((await at.orderNow(second.body.data.order_id)).total_amount).toBe(10);
  });

  test('creates a new paylink, also with the same body', async () => {
    const headers = { 'idempotency-key': 'paylink-key' };
    const first = (await create(70.5, headers)).body.data;
    expect((await create(70.5, headers)).body.data.id).toBe(first.id);
    await expireKeys();
    const again = (await create(70.5, headers)).body.data;
    expect(again.id).not.toBe(first.id);
    await expireKeys();
    const other = await create(10, headers);
    expect([other.status, other.body.data.amount]).toEqual([201, 10]);
  });

  test('creates a new paylink although a row of an earlier release still has the key', async () => {
    const headers = { 'idempotency-key': 'kept-by-an-earlier-version' };
    const releaseAll = at.vendors.holdBack(SLUGS.tabby);
    const pending = create(70.5, headers);
    const keyOf = async () => {
      const [row] = await at.service.sql<{ id: string; request_key: string }[]>`
        select id, request_key from paylinks where request_key is not null`;
      return row;
    };
    await expect.poll(keyOf).toBeDefined();
    const begun = await keyOf();
    releaseAll();
    expect((await pending).status).toBe(201);
    await at.service.sql`update paylinks set request_key = ${begun?.request_key ?? ''} where id = ${begun?.id ?? ''}`;
    await expireKeys();
    const again = await create(10, headers);
    expect([again.status, again.body.data?.amount], again.text).toEqual([201, 10]);
  });

  test('captures again', async () => {
    const row = await made('tabby', { amount: 90, currency: 'SAR' });
    agree('tabby', row);
    const headers = { 'idempotency-key': 'capture-key' };
    const captured = async (amount: number) =>
      (await capture('tabby', row, { amount }, headers)).body.data.captured_amount;
    expect(await captured(30)).toBe(30);
    expect(await captured(30)).toBe(30);
    await expireKeys();
    expect(await captured(30)).toBe(60);
    await expireKeys();
    expect(await captured(20)).toBe(80);
  });
});

describe('while the first request under a key is under way', () => {
  test('the same body waits for it, and another body is refused', async () => {
    const headers = { 'idempotency-key': 'under-way' };
    const before = pagesAt();
    const releaseAll = at.vendors.holdBack(SLUGS.tabby);
    const first = create(33, headers);
    const isBegun = async () =>
      (await at.service.sql`select 1 from paylinks where amount = 33 and status = 'creating'`).length;
    await expect.poll(isBegun).toBe(1);
    const other = await create(44, headers);
    expect([other.status, other.body.error]).toEqual([422, 'Idempotency key reused']);
    const same = create(33, headers);
    releaseAll();
    const [one, two] = await Promise.all([first, same]);
    expect([one.status, two.status, two.body.data.id]).toEqual([201, 201, one.body.data.id]);
    expect(pagesAt() - before).toBe(1);
  });
});

describe('a request that was cut off', () => {
  /** A capture that reached the provider, and whose process ended before it was written down. */
  async function cutOff(key: string) {
    const row = await made('tabby', { amount: 90, currency: 'SAR' });
    agree('tabby', row);
    await at.service.sql`update paylinks set status = 'authorized' where id = ${row.id}`;
    const headers = { 'idempotency-key': key };
    // The answer gets lost and cannot be looked up either: the capture is left unclear.
    at.vendors.addFault({ vendor: SLUGS.tabby, method: 'POST', path: /captures/, kind: 'lose', times: 2 });
    const stopReading = at.vendors.addFault({ vendor: SLUGS.tabby, method: 'GET', path: /payments/, kind: 'fail' });
    expect((await capture('tabby', row, { amount: 30 }, headers)).status).toBe(502);
    stopReading();
    at.vendors.clearFaults();
    const payment = at.vendors.shop(SLUGS.tabby).payments.get(row.provider_reference);
    expect(payment?.captures).toHaveLength(1);
    await at.service
      .sql`update external_operations set lease_until = now() - interval '1 minute' where subject_id = ${row.id}`;
    return { row, headers };
  }

  test('and was carried out nevertheless is recognised by its repeat only', async () => {
    const { row, headers } = await cutOff('cut-off');
    // The next request or the recovery loop settles it.
    const other = await capture('tabby', row, { amount: 20 });
    expect([other.status, other.body.data?.captured_amount], other.text).toEqual([200, 50]);
    const repeat = await capture('tabby', row, { amount: 30 }, headers);
    expect([repeat.status, repeat.body.data.captured_amount]).toEqual([200, 50]);
    const changed = await capture('tabby', row, { amount: 5 }, headers);
    expect([changed.status, changed.body.error]).toEqual([422, 'Idempotency key reused']);
    await expireKeys();
    const later = await capture('tabby', row, { amount: 30 }, headers);
    expect([later.status, later.body.data?.captured_amount], later.text).toEqual([200, 80]);
  });

  test('is a new request once its key has expired', async () => {
    const { row, headers } = await cutOff('cut-off-and-expired');
    expect((await capture('tabby', row, { amount: 20 })).body.data.captured_amount).toBe(50);
    await at.service.sql`
      update paylink_captures set created = created - interval '49 hours' where paylink_id = ${row.id}`;
    expect((await capture('tabby', row, { amount: 30 }, headers)).body.data.captured_amount).toBe(80);
  });
});
