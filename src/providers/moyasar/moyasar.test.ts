import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { toText, ZERO } from '../../platform/money.ts';
import { VendorUnavailable } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { moyasar } from './index.ts';

const PAYMENT = {
  id: 'p-1',
  status: 'paid',
  amount: 7000,
  fee: 325,
  currency: 'SAR',
  refunded: 0,
  description: 'Honey',
  created_at: '2026-11-15T08:59:00.000Z',
  metadata: { order_id: 'ORD-7' },
  source: { type: 'creditcard' },
};
const EVENT = { id: 'evt-1', type: 'payment_paid', secret_token: 'shh', live: true, data: PAYMENT };

const read = (body: object) => {
  const reading = moyasar.readTransaction(callOf(body), RIYADH);
  if (reading.kind !== 'transaction') throw new Error(reading.kind);
  return reading.transaction;
};

test('a call is verified by the secret in its body', () => {
  const settings = { webhook_secret: 'shh' };
  expect(isVerified(moyasar.app, settings, EVENT)).toBe(true);
  expect(isVerified(moyasar.app, settings, { ...EVENT, secret_token: 'SHH' })).toBe(false);
  expect(isVerified(moyasar.app, settings, { data: { secret_token: 'shh' } })).toBe(false);
  expect(isVerified(moyasar.app, settings, { ...EVENT, secret_token: ['shh'] })).toBe(false);
  expect(isVerified(moyasar.app, {}, { ...EVENT, secret_token: '' })).toBe(false);
  expect(isVerified(moyasar.app, settings, 'not json')).toBe(false);
});

test('a delivery is known by the id of its event', () => {
  const idOf = (body: unknown) => moyasar.app.inbound?.findDeliveryId?.(callOf(body));
  expect([idOf(EVENT), idOf(PAYMENT), idOf('not json')]).toEqual(['evt-1', undefined, undefined]);
});

describe('a transaction', () => {
  test('is in halalas, with its fee', () => {
    const transaction = read(EVENT);
    expect(transaction).toMatchObject({
      providerReference: 'p-1',
      merchantReference: 'ORD-7',
      currency: 'SAR',
      status: 'paid',
      occurredAt: new Date('2026-11-15T08:59:00Z'),
    });
    expect([transaction.amount, transaction.fee ?? ZERO].map(toText)).toEqual(['70.00', '3.25']);
    const inDinars = read({ ...EVENT, data: { ...PAYMENT, currency: 'KWD' } });
    expect(toText(inDinars.amount)).toBe('7.000');
  });

  test.each([
    ['initiated', 0, 'pending'],
    ['authorized', 0, 'pending'],
    ['verified', 0, 'pending'],
    ['paid', 0, 'paid'],
    ['captured', 0, 'paid'],
    ['failed', 0, 'failed'],
    ['voided', 0, 'cancelled'],
    ['refunded', 7000, 'refunded'],
    ['refunded', 6999, 'paid'],
    ['paid', 7000, 'refunded'],
  ])('%s, %i refunded, is %s', (status, refunded, expected) => {
    expect(read({ ...EVENT, data: { ...PAYMENT, status, refunded } }).status).toBe(expected);
  });

  test('without metadata is known by its description', () => {
    expect(read({ ...EVENT, data: { ...PAYMENT, metadata: null } }).merchantReference).toBe('Honey');
  });

  test.each(['invoice_paid', 'token_created', 'payout_paid', 'balance_transferred'])('%s is none', (type) => {
    expect(moyasar.readTransaction(callOf({ ...EVENT, type }), RIYADH).kind).toBe('ignored');
  });

  test('is read back', async () => {
    const { client, calls } = vendorOf(inTurn(PAYMENT));
    expect(await moyasar.readBack('p/1', client, {})).toMatchObject({ status: 'paid', providerReference: 'p-1' });
    expect(calls).toEqual([{ method: 'GET', path: '/v1/payments/p%2F1' }]);
    await expect(moyasar.readBack('p-1', vendorOf(inTurn({ id: 'p-1' })).client, {})).rejects.toThrow(
      VendorUnavailable,
    );
    expect(moyasar.credentials({ access_token: 'sk_1' })).toEqual({
      kind: 'headers',
      headers: { authorization: `Basic ${Buffer.from('sk_1:').toString('base64')}` },
    });
  });
});

test.each(samplesOf('moyasar').map(({ name, json }): [string, object] => [name, json]))(
  '%s: as it came',
  (name, json) => {
    const list: object[] = 'payments' in json && name.startsWith('payment_') ? (json.payments as object[]) : [json];
    for (const one of list) {
      const reading = moyasar.readTransaction(callOf({ ...one, secret_token: 'shh' }), RIYADH);
      expect(reading.kind).toBe(name.startsWith('invoice') ? 'ignored' : 'transaction');
      if (name.startsWith('invoice')) continue;
      // The vendor prints the same amount as text.
      const { amount, currency } = read({ type: 'payment_paid', data: one });
      expect(`${toText(amount)} ${currency}`).toBe((one as { amount_format: string }).amount_format);
    }
  },
);
