import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { decimal, toText, ZERO } from '../../platform/money.ts';
import { VendorRefused, VendorUnavailable } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { tamara } from './index.ts';

const sar = (amount: number) => ({ amount, currency: 'SAR' });
const ORDER = {
  order_id: 'o-1',
  order_reference_id: 'own-1',
  status: 'new',
  total_amount: sar(300),
  captured_amount: sar(0),
  refunded_amount: sar(0),
  canceled_amount: sar(0),
};
const CAPTURE = {
  providerReference: 'o-1',
  amount: decimal('300'),
  currency: 'SAR',
  referenceId: 'cap-1',
  capturedBefore: ZERO,
  now: RIYADH.receivedAt,
};

describe('a call', () => {
  const settings = { webhook_secret: 'notification-key' };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = (claims: object, head: object = { alg: 'HS256', typ: 'JWT' }, key = 'notification-key') => {
    const signed = `${part(head)}.${part(claims)}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  };
  const now = RIYADH.receivedAt.getTime() / 1000;
  const inHeader = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });

  test('is verified by a token in the header or in the address', () => {
    const good = token({ iss: 'Tamara', iat: now, exp: now + 60 });
    expect(isVerified(tamara.app, settings, ORDER, inHeader(good))).toBe(true);
    expect(isVerified(tamara.app, settings, ORDER, { query: { tamaraToken: good } })).toBe(true);
    expect(isVerified(tamara.app, settings, ORDER, { query: { token: good } })).toBe(false);
  });

  test.each([
    ['that has ended', token({ exp: now - 1 })],
    ['of another key', token({ exp: now + 60 }, undefined, 'other')],
    ['that chose its own algorithm', token({ exp: now + 60 }, { alg: 'none' })],
    [
      'of two parts',
      token({ exp: now + 60 })
        .split('.')
        .slice(0, 2)
        .join('.'),
    ],
    ['that is none', 'abc'],
  ])('with a token %s is not', (_name, bad) => {
    expect(isVerified(tamara.app, settings, ORDER, { ...inHeader(bad), query: { tamaraToken: bad } })).toBe(false);
  });
});

test('a notification of either kind names the order', () => {
  const read = (body: object) => tamara.readNotice(callOf(body), RIYADH);
  const known = { order_id: 'o-1', order_reference_id: 'own-1', data: [] };
  expect(read({ ...known, event_type: 'order_canceled', data: { cancel_id: '1' } })).toEqual({
    kind: 'payment',
    event: 'order_canceled',
    providerReference: 'o-1',
    ownId: 'own-1',
  });
  expect(read({ ...known, order_status: 'approved' })).toMatchObject({ kind: 'payment', event: 'order_approved' });
  expect(read({ ...known, event_type: 'dispute_opened' }).kind).toBe('ignored');
});

test('a paylink is a checkout', async () => {
  const { client, calls } = vendorOf(
    inTurn({
      order_id: 'o-1',
      checkout_id: 'c-1',
      checkout_url: 'https://tamara.example/1',
    }),
  );
  const created = await tamara.live.createPaylink(
    {
      ownId: 'own-1',
      amount: decimal('300.10'),
      currency: 'SAR',
      lineItems: [{ sku: 'A', name: 'Lego', quantity: decimal('3'), price: decimal('100.0333') }],
      customer: { name: 'Mona Lisa', phone: '500000005', email: 'm@example.com' },
      returnUrl: 'https://shop.example/back',
      notifyUrl: 'https://dukkan.example/ingest/1',
    },
    client,
    {},
  );
  expect(created).toEqual({ providerReference: 'o-1', sessionReference: 'c-1', url: 'https://tamara.example/1' });
  expect(calls).toMatchObject([
    {
      method: 'POST',
      path: '/checkout',
      json: {
        order_reference_id: 'own-1',
        total_amount: sar(300.1),
        items: [{ sku: 'A', quantity: 3, unit_price: sar(100.03), total_amount: sar(300.09) }],
        consumer: { first_name: 'Mona', last_name: 'Lisa', phone_number: '500000005', email: 'm@example.com' },
        country_code: 'SA',
        merchant_url: { notification: 'https://dukkan.example/ingest/1' },
      },
    },
  ]);
});

describe('a payment', () => {
  const read = (order: object) => tamara.live.readPayment('o-1', vendorOf(inTurn({ ...ORDER, ...order })).client);

  test.each([
    ['new', {}, 'created'],
    ['authorised', {}, 'authorized'],
    ['authorized', {}, 'authorized'],
    ['partially_captured', { captured_amount: sar(230) }, 'authorized'],
    ['fully_captured', { captured_amount: sar(300) }, 'captured'],
    ['updated', { canceled_amount: sar(100) }, 'authorized'],
    ['updated', { canceled_amount: sar(100), captured_amount: sar(200) }, 'captured'],
    ['partially_refunded', { captured_amount: sar(300), refunded_amount: sar(1) }, 'captured'],
    ['fully_refunded', { captured_amount: sar(300), refunded_amount: sar(300) }, 'refunded'],
    ['declined', {}, 'failed'],
    ['expired', {}, 'expired'],
    ['canceled', {}, 'cancelled'],
    ['cancelled', {}, 'cancelled'],
  ])('%s with %j is %s', async (status, more, expected) => {
    const payment = await read({ status, ...more });
    expect(payment).toMatchObject({ status: expected, currency: 'SAR' });
    expect(toText(payment.amount ?? ZERO)).toBe('300');
  });

  test('that was approved is authorised when it is read back', async () => {
    const { client, calls } = vendorOf(
      inTurn({ ...ORDER, status: 'approved' }, { order_id: 'o-1', status: 'authorised' }),
    );
    expect(await tamara.live.readPayment('o-1', client)).toMatchObject({ status: 'authorized' });
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /merchants/orders/o-1',
      'POST /orders/o-1/authorise',
    ]);
  });

  test('with automatic capture is captured in the response', async () => {
    const answer = { status: 'fully_captured', auto_captured: true };
    const { client } = vendorOf(inTurn({ ...ORDER, status: 'approved' }, answer));
    const payment = await tamara.live.readPayment('o-1', client);
    expect([payment.status, toText(payment.capturedAmount ?? ZERO)]).toEqual(['captured', '300']);
  });

  test('that a concurrent request authorised is read again', async () => {
    const refused = new VendorRefused(409, 'already');
    const { client } = vendorOf(inTurn({ ...ORDER, status: 'approved' }, refused, { ...ORDER, status: 'authorised' }));
    expect(await tamara.live.readPayment('o-1', client)).toMatchObject({ status: 'authorized' });
    const still = vendorOf(inTurn({ ...ORDER, status: 'approved' }, refused, { ...ORDER, status: 'approved' }));
    await expect(tamara.live.readPayment('o-1', still.client)).rejects.toThrow('already');
  });

  const agreed = { ...ORDER, status: 'authorised' };
  const done = { ...ORDER, status: 'fully_captured', captured_amount: sar(300) };

  test('is captured', async () => {
    const { client, calls } = vendorOf(inTurn(agreed, { capture_id: '1', status: 'fully_captured' }));
    await tamara.live.capture(CAPTURE, client);
    expect(calls.at(-1)).toMatchObject({
      method: 'POST',
      path: '/payments/capture',
      json: { order_id: 'o-1', total_amount: sar(300), shipping_info: { shipped_at: '2026-11-15T09:00:00.000Z' } },
    });
  });

  test('is not captured again after an earlier capture, or after a lost response', async () => {
    const before = vendorOf(inTurn(done));
    await tamara.live.capture(CAPTURE, before.client);
    const lost = vendorOf(inTurn(agreed, new VendorUnavailable('timeout', true), done));
    await tamara.live.capture(CAPTURE, lost.client);
    expect([before.calls.length, lost.calls.length]).toEqual([1, 3]);
    const never = vendorOf(inTurn(agreed, new VendorUnavailable('no connection', false)));
    await expect(tamara.live.capture(CAPTURE, never.client)).rejects.toThrow('no connection');
    const notDone = vendorOf(inTurn(agreed, new VendorUnavailable('timeout', true), agreed));
    await expect(tamara.live.capture(CAPTURE, notDone.client)).rejects.toThrow('timeout');
  });

  test('is captured in parts: a second part is not mistaken for a repeat', async () => {
    const half = { ...ORDER, status: 'partially_captured', captured_amount: sar(150) };
    const part = { ...CAPTURE, amount: decimal('150') };
    const second = vendorOf(inTurn(half, {}));
    await tamara.live.capture({ ...part, capturedBefore: decimal('150') }, second.client);
    const repeat = vendorOf(inTurn(half));
    await tamara.live.capture(part, repeat.client);
    expect([second.calls.length, repeat.calls.length]).toEqual([2, 1]);
  });

  test('is cancelled, or its checkout is voided', async () => {
    const request = { providerReference: 'o-1', sessionReference: 'c-1', amount: decimal('300'), currency: 'SAR' };
    const plain = vendorOf(inTurn({ status: 'canceled' }));
    await tamara.live.cancel(request, plain.client);
    expect(plain.calls).toEqual([{ method: 'POST', path: '/orders/o-1/cancel', json: { total_amount: sar(300) } }]);
    const open = vendorOf(inTurn(new VendorRefused(409, 'new'), ORDER, {}));
    await tamara.live.cancel(request, open.client);
    expect(open.calls.at(-1)).toMatchObject({ path: '/checkout/c-1/void', query: { order_id: 'o-1' } });
    const twice = vendorOf(inTurn(new VendorRefused(409, 'done'), { ...ORDER, status: 'canceled' }));
    expect(await tamara.live.cancel(request, twice.client)).toBe(true);
  });
});

// Without the samples there are none of these, which a group of its own would be refused for.
const samplesNamed = (beginning: string) =>
  samplesOf('tamara')
    .filter(({ name }) => name.startsWith(beginning))
    .map(({ name, json }): [string, object] => [name, json]);

test.each(samplesNamed('webhook_'))('%s: a notice', (_name, json) => {
  expect(tamara.readNotice(callOf(json), RIYADH).kind).toBe('payment');
});
test.each(samplesNamed('order_details'))('%s: a payment', async (_name, json) => {
  expect(await tamara.live.readPayment('x', vendorOf(inTurn(json)).client)).toMatchObject({ status: 'created' });
});
test.each(samplesNamed('authorise_response'))('%s: an answer', async (_name, json) => {
  const { client } = vendorOf(inTurn({ ...ORDER, status: 'approved' }, json));
  expect(await tamara.live.readPayment('x', client)).toMatchObject({ status: 'captured' });
});
