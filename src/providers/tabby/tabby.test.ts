import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { decimal, toText, ZERO } from '../../platform/money.ts';
import { VendorRefused, VendorUnavailable } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { tabby } from './index.ts';

const PAYMENT = {
  id: 'pay-1',
  status: 'AUTHORIZED',
  amount: '100.00',
  currency: 'SAR',
  order: { reference_id: 'own-1' },
  captures: [],
  refunds: [],
};
const CAPTURE = {
  providerReference: 'pay-1',
  amount: decimal('100'),
  currency: 'SAR',
  referenceId: 'cap-1',
  capturedBefore: ZERO,
  now: RIYADH.receivedAt,
};
const REQUEST = {
  ownId: 'own-1',
  amount: decimal('52.5'),
  currency: 'SAR',
  lineItems: [{ sku: 'HON-1', name: 'عسل', quantity: decimal('1.5'), price: decimal('35') }],
  customer: { name: 'Sara', phone: '+966500000001' },
  returnUrl: 'https://shop.example/back',
};

test('a call is verified by the value in the header that was chosen, and by no other', () => {
  const settings = { webhook_secret: 'shh' };
  expect(isVerified(tabby.app, settings, PAYMENT, { headers: { 'x-webhook-token': 'shh' } })).toBe(true);
  expect(isVerified(tabby.app, settings, PAYMENT, { headers: { 'x-webhook-token': 'shh ' } })).toBe(false);
  expect(isVerified(tabby.app, settings, PAYMENT)).toBe(false);
  const chosen = { ...settings, webhook_header: 'X-My-Own' };
  expect(isVerified(tabby.app, chosen, PAYMENT, { headers: { 'x-my-own': 'shh' } })).toBe(true);
  expect(isVerified(tabby.app, chosen, PAYMENT, { headers: { 'x-webhook-token': 'shh' } })).toBe(false);
  expect(isVerified(tabby.app, {}, PAYMENT, { headers: { 'x-webhook-token': '' } })).toBe(false);
  expect(isVerified(tabby.app, { ...settings, webhook_header: '__proto__' }, PAYMENT)).toBe(false);
});

test('a notification names the payment and what it is for', () => {
  expect(tabby.readNotice(callOf({ ...PAYMENT, status: 'authorized' }), RIYADH)).toEqual({
    kind: 'payment',
    event: 'payment.authorized',
    providerReference: 'pay-1',
    ownId: 'own-1',
  });
  expect(tabby.readNotice(callOf({ id: 'd-1', status: 'new' }), RIYADH).kind).toBe('ignored');
});

describe('a paylink', () => {
  const SESSION = {
    id: 'session-1',
    status: 'created',
    payment: { id: 'pay-1', expires_at: '2026-11-15T10:00:00Z' },
    configuration: { available_products: { installments: [{ web_url: 'https://checkout.tabby.ai/?1' }] } },
  };

  test('is a session, whose payment has an id of its own', async () => {
    const { client, calls } = vendorOf(inTurn(SESSION));
    expect(await tabby.live.createPaylink(REQUEST, client, { merchant_code: 'RUH' })).toEqual({
      providerReference: 'pay-1',
      sessionReference: 'session-1',
      url: 'https://checkout.tabby.ai/?1',
      expiresAt: new Date('2026-11-15T10:00:00Z'),
    });
    expect(calls).toMatchObject([
      {
        method: 'POST',
        path: '/api/v2/checkout',
        json: {
          payment: {
            amount: '52.50',
            currency: 'SAR',
            buyer: { name: 'Sara', phone: '+966500000001' },
            // Half an item does not exist there.
            order: {
              reference_id: 'own-1',
              items: [{ reference_id: 'HON-1', title: 'عسل × 1.5', quantity: 1, unit_price: '52.50' }],
            },
          },
          merchant_code: 'RUH',
          merchant_urls: { success: 'https://shop.example/back' },
        },
      },
    ]);
  });

  test('in dinars has three digits, and without items one of them', async () => {
    const { client, calls } = vendorOf(inTurn(SESSION));
    await tabby.live.createPaylink({ ...REQUEST, currency: 'KWD', lineItems: [] }, client, {});
    expect(calls).toMatchObject([
      { json: { payment: { amount: '52.500', order: { items: [{ quantity: 1, unit_price: '52.500' }] } } } },
    ]);
  });

  test.each([
    ['rejected', { ...SESSION, status: 'rejected' }],
    ['without a product', { ...SESSION, configuration: { available_products: {} } }],
    [
      'with an address that is none',
      {
        ...SESSION,
        configuration: { available_products: { installments: [{ web_url: 'javascript:alert(1)' }] } },
      },
    ],
  ])('%s is refused', async (_name, session) => {
    await expect(tabby.live.createPaylink(REQUEST, vendorOf(inTurn(session)).client, {})).rejects.toThrow(
      VendorRefused,
    );
  });

  test.each([[{}], [{ payment: 7 }], [[]], ['no']])(
    'with the response %j makes the provider unavailable',
    async (session) => {
      await expect(tabby.live.createPaylink(REQUEST, vendorOf(inTurn(session)).client, {})).rejects.toThrow(
        expect.toSatisfy((error) => error instanceof VendorUnavailable || error instanceof VendorRefused),
      );
    },
  );
});

describe('a payment', () => {
  const read = async (payment: object) => {
    const { client, calls } = vendorOf(inTurn(payment));
    const found = await tabby.live.readPayment('pay/1', client);
    expect(calls).toEqual([{ method: 'GET', path: '/api/v2/payments/pay%2F1' }]);
    return found;
  };
  const all = [{ amount: '60' }, { amount: '40.00' }];

  test.each([
    ['CREATED', {}, 'created', '0', '0'],
    ['created', { is_expired: true }, 'expired', '0', '0'],
    ['AUTHORIZED', {}, 'authorized', '0', '0'],
    ['authorized', { captures: [{ amount: '60' }] }, 'authorized', '60', '0'],
    ['authorized', { captures: all }, 'captured', '100.00', '0'],
    ['CLOSED', { captures: all }, 'captured', '100.00', '0'],
    ['CLOSED', { captures: [{ amount: '60' }] }, 'captured', '60', '0'],
    ['CLOSED', { captures: all, refunds: [{ amount: '40' }] }, 'captured', '100.00', '40'],
    ['closed', { captures: all, refunds: all }, 'refunded', '100.00', '100.00'],
    ['CLOSED', {}, 'cancelled', '0', '0'],
    ['REJECTED', {}, 'failed', '0', '0'],
    ['EXPIRED', {}, 'expired', '0', '0'],
  ])('%s with %j is %s', async (status, more, expected, captured, refunded) => {
    const payment = await read({ ...PAYMENT, status, ...more });
    expect(payment).toMatchObject({ status: expected, currency: 'SAR' });
    const { capturedAmount = ZERO, refundedAmount = ZERO } = payment;
    expect([toText(capturedAmount), toText(refundedAmount)]).toEqual([captured, refunded]);
  });

  test('in an unknown state makes the provider unavailable', async () => {
    await expect(read({ ...PAYMENT, status: 'CONSTRUCTOR' })).rejects.toThrow(VendorUnavailable);
  });

  test('is captured under our reference, and once', async () => {
    const { client, calls } = vendorOf(inTurn({}));
    await tabby.live.capture(CAPTURE, client);
    expect(calls).toEqual([
      {
        method: 'POST',
        path: '/api/v2/payments/pay-1/captures',
        json: { amount: '100.00', reference_id: 'cap-1' },
        isRepeatable: true,
      },
    ]);
    const captured = { ...PAYMENT, status: 'CLOSED', captures: [{ amount: '100', reference_id: 'cap-1' }] };
    await tabby.live.capture(CAPTURE, vendorOf(inTurn(new VendorRefused(409, 'closed'), captured)).client);
    const another = { ...captured, captures: [{ amount: '100', reference_id: 'cap-0' }] };
    await expect(
      tabby.live.capture(CAPTURE, vendorOf(inTurn(new VendorRefused(409, 'closed'), another)).client),
    ).rejects.toThrow('closed');
  });

  test('is closed to cancel it, or its page is taken away', async () => {
    const request = { providerReference: 'pay-1', sessionReference: 's-1', amount: decimal('100'), currency: 'SAR' };
    const agreed = vendorOf(inTurn({}));
    expect(await tabby.live.cancel(request, agreed.client)).toBe(true);
    const open = vendorOf(inTurn(new VendorRefused(400, 'not authorized'), {}));
    expect(await tabby.live.cancel(request, open.client)).toBe(true);
    expect([...agreed.calls, ...open.calls].map(({ path }) => path)).toEqual([
      '/api/v2/payments/pay-1/close',
      '/api/v2/payments/pay-1/close',
      '/api/v2/checkout/s-1/cancel',
    ]);
    const { sessionReference, ...without } = request;
    await expect(tabby.live.cancel(without, vendorOf(inTurn(new VendorRefused(400, 'no'))).client)).rejects.toThrow(
      'no',
    );
  });
});

test.each(samplesOf('tabby').map(({ name, json }): [string, object] => [name, json]))(
  '%s: read as it came',
  async (name, json) => {
    const notice = tabby.readNotice(callOf(json), RIYADH);
    if (!name.startsWith('webhook_')) return;
    expect(notice.kind).toBe('payment');
    expect((await tabby.live.readPayment('x', vendorOf(inTurn(json)).client)).status).toBe('refunded');
  },
);
