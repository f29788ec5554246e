import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { toText } from '../../platform/money.ts';
import { VendorUnavailable } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { geidea } from './index.ts';

const ORDER = {
  orderId: 'o-1',
  amount: 123.4,
  currency: 'SAR',
  status: 'Success',
  detailedStatus: 'Paid',
  merchantReferenceId: 'ORD-7',
  merchantPublicKey: 'public',
  totalCapturedAmount: 123.4,
  totalRefundedAmount: 0,
  createdDate: '2026-11-15T08:59:00.8733674Z',
  // An attempt that failed before the one that did not.
  transactions: [{ status: 'Failed', codes: { responseCode: '100' } }],
};
const CALLBACK = { order: ORDER, timeStamp: '11/15/2026 8:59:00 AM', responseCode: '000' };
const read = (order: object, more: object = {}) =>
  geidea.readTransaction(callOf({ ...CALLBACK, ...more, order: { ...ORDER, ...order } }), RIYADH);

describe('a call', () => {
  const settings = { webhook_secret: 'password', merchant_code: 'public' };
  const sign = (text: string) => createHmac('sha256', 'password').update(text).digest('base64');
  const signature = sign('public123.40SARo-1SuccessORD-711/15/2026 8:59:00 AM');

  test('is verified by fields of its order, the amount with two digits', () => {
    expect(isVerified(geidea.app, settings, { ...CALLBACK, signature })).toBe(true);
    // The public key alone does not authenticate.
    expect(isVerified(geidea.app, { webhook_secret: 'password' }, { ...CALLBACK, signature })).toBe(true);
    expect(isVerified(geidea.app, { ...settings, merchant_code: 'other' }, { ...CALLBACK, signature })).toBe(false);
  });

  test('of the older kind has no time', () => {
    const { timeStamp, ...older } = CALLBACK;
    const signed = { ...older, signature: sign('public123.40SARo-1SuccessORD-7') };
    expect(isVerified(geidea.app, settings, signed)).toBe(true);
  });

  test.each([
    ['amount', { amount: 123.5 }],
    ['amount of none', { amount: 'x' }],
    ['status', { status: 'Failed' }],
    ['order', { orderId: 'o-2' }],
    ['reference', { merchantReferenceId: 'ORD-8' }],
  ])('with another %s is not', (_name, change) => {
    expect(isVerified(geidea.app, settings, { ...CALLBACK, signature, order: { ...ORDER, ...change } })).toBe(false);
  });

  test('without a signature or a secret is not', () => {
    expect(isVerified(geidea.app, settings, CALLBACK)).toBe(false);
    expect(isVerified(geidea.app, { merchant_code: 'public' }, { ...CALLBACK, signature })).toBe(false);
    expect(isVerified(geidea.app, settings, [])).toBe(false);
  });
});

describe('a transaction', () => {
  test('is the order, whatever its attempts were', () => {
    const reading = read({});
    expect(reading).toMatchObject({
      event: 'order.Success',
      transaction: {
        providerReference: 'o-1',
        merchantReference: 'ORD-7',
        status: 'paid',
        occurredAt: new Date('2026-11-15T08:59:00.873Z'),
      },
    });
    expect(reading.kind === 'transaction' && toText(reading.transaction.amount)).toBe('123.4');
  });

  test.each([
    ['Success', 'Paid', {}, 'paid'],
    ['Success', 'Captured', {}, 'paid'],
    ['success', 'paid', {}, 'paid'],
    ['Success', 'Authorized', {}, 'pending'],
    ['InProgress', 'InProgress', {}, 'pending'],
    ['Success', 'Refunded', {}, 'refunded'],
    ['Success', 'PartiallyRefunded', { totalRefundedAmount: 23.4 }, 'paid'],
    ['Success', 'PartiallyRefunded', { totalRefundedAmount: 123.4 }, 'refunded'],
    ['Success', 'Voided', {}, 'cancelled'],
    ['Failed', 'Cancelled By User', {}, 'cancelled'],
    ['Failed', 'CancelledByUser', {}, 'cancelled'],
    ['Cancelled', '', {}, 'cancelled'],
    ['Failed', 'Declined', {}, 'failed'],
    ['Success', 'constructor', {}, 'failed'],
  ])('%s, %s, %j is %s', (status, detailedStatus, more, expected) => {
    expect(read({ status, detailedStatus, ...more })).toMatchObject({ transaction: { status: expected } });
  });

  test('with the code of a failure has failed', () => {
    expect(read({}, { responseCode: '100' })).toMatchObject({ transaction: { status: 'failed' } });
  });

  test('is read back by the id of the order', async () => {
    const { client, calls } = vendorOf(inTurn({ order: ORDER, responseCode: '000' }));
    expect(await geidea.readBack('o-1', client, {})).toMatchObject({ status: 'paid' });
    expect(calls).toEqual([{ method: 'GET', path: '/pgw/api/v1/direct/order/o-1' }]);
    expect(await geidea.readBack('o-1', vendorOf(inTurn({ orders: [ORDER] })).client, {})).toMatchObject({
      status: 'paid',
    });
    await expect(geidea.readBack('o-1', vendorOf(inTurn({})).client, {})).rejects.toThrow(VendorUnavailable);
    expect(geidea.credentials({ merchant_code: 'public', webhook_secret: 'password' })).toEqual({
      kind: 'headers',
      headers: { authorization: `Basic ${Buffer.from('public:password').toString('base64')}` },
    });
  });
});

test.each(samplesOf('geidea').map(({ name, json }): [string, object] => [name, json]))(
  '%s: as it came',
  (_name, json) => {
    expect(geidea.readTransaction(callOf(json), RIYADH).kind).toBe('ignored');
  },
);
