import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { toText } from '../../platform/money.ts';
import { VendorUnavailable } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { paytabs } from './index.ts';

const IPN = {
  tran_ref: 'TST1',
  tran_type: 'Sale',
  cart_id: 'ORD-7',
  cart_amount: '46.17',
  cart_currency: 'SAR',
  tran_total: '46.17',
  tran_currency: 'SAR',
  payment_result: { response_status: 'A', transaction_time: '2026-11-15T12:59:00+04:00' },
};
const read = (body: object) => paytabs.readTransaction(callOf(body), RIYADH);

test('a call is verified by the HMAC of its bytes', () => {
  const settings = { webhook_secret: 'server-key' };
  const body = JSON.stringify(IPN);
  const signature = createHmac('sha256', 'server-key').update(body).digest('hex');
  expect(isVerified(paytabs.app, settings, body, { headers: { signature } })).toBe(true);
  expect(isVerified(paytabs.app, settings, body, { headers: { signature: signature.toUpperCase() } })).toBe(true);
  expect(isVerified(paytabs.app, settings, `${body} `, { headers: { signature } })).toBe(false);
  expect(isVerified(paytabs.app, settings, body)).toBe(false);
  expect(isVerified(paytabs.app, {}, body, { headers: { signature } })).toBe(false);
});

describe('a transaction', () => {
  test('is the cart and what became of it', () => {
    const reading = read(IPN);
    expect(reading).toMatchObject({
      event: 'sale',
      transaction: {
        providerReference: 'TST1',
        merchantReference: 'ORD-7',
        currency: 'SAR',
        occurredAt: new Date('2026-11-15T08:59:00Z'),
      },
    });
    expect(reading.kind === 'transaction' && toText(reading.transaction.amount)).toBe('46.17');
  });

  test.each([
    ['Sale', 'A', 'paid'],
    ['capture', 'A', 'paid'],
    ['Auth', 'A', 'pending'],
    ['Auth', 'H', 'pending'],
    ['Sale', 'P', 'pending'],
    ['Sale', 'V', 'cancelled'],
    ['Sale', 'C', 'cancelled'],
    ['Sale', 'X', 'cancelled'],
    ['Sale', 'E', 'failed'],
    ['Sale', 'D', 'failed'],
    ['Void', 'A', 'cancelled'],
    ['Release', 'A', 'cancelled'],
    ['Refund', 'A', 'refunded'],
    [undefined, 'A', 'paid'],
  ])('%s %s is %s', (tran_type, response_status, status) => {
    expect(read({ ...IPN, tran_type, payment_result: { response_status } })).toMatchObject({ transaction: { status } });
  });

  test('of a refund is as large as the refund, and leaves the payment alone when it is declined', () => {
    const refund = { ...IPN, tran_ref: 'TST2', tran_type: 'Refund', previous_tran_ref: 'TST1', tran_total: '10.00' };
    const reading = read(refund);
    expect(reading).toMatchObject({ transaction: { providerReference: 'TST2', parentReference: 'TST1' } });
    expect(reading.kind === 'transaction' && toText(reading.transaction.amount)).toBe('10.00');
    expect(read({ ...refund, payment_result: { response_status: 'D' } }).kind).toBe('ignored');
  });

  test('is not a registered card, nor a page that was made', () => {
    expect(read({ ...IPN, tran_type: 'Register' }).kind).toBe('ignored');
    const { payment_result, ...page } = IPN;
    expect(read(page).kind).toBe('ignored');
  });

  test('in an unknown state throws Unreadable', () => {
    expect(() => read({ ...IPN, payment_result: { response_status: 'Q' } })).toThrow(
      expect.objectContaining({ code: 'unexpected', path: 'payment_result.response_status' }),
    );
  });

  test('with a negative amount throws Unreadable', () => {
    expect(() => read({ ...IPN, cart_amount: '-1' })).toThrow(expect.objectContaining({ path: 'cart_amount' }));
  });

  test('is read back by its reference', async () => {
    const { client, calls } = vendorOf(inTurn(IPN));
    expect(await paytabs.readBack('TST1', client, { client_id: '98765' })).toMatchObject({ status: 'paid' });
    expect(calls).toEqual([
      {
        method: 'POST',
        path: '/payment/query',
        json: { profile_id: 98765, tran_ref: 'TST1' },
        isRepeatable: true,
      },
    ]);
    await expect(paytabs.readBack('TST1', vendorOf(inTurn({})).client, {})).rejects.toThrow(VendorUnavailable);
    expect(paytabs.credentials({ client_id: '1', webhook_secret: 'key' })).toEqual({
      kind: 'headers',
      headers: { authorization: 'key' },
    });
  });
});

test.each(samplesOf('paytabs').map(({ name, json }): [string, object] => [name, json]))(
  '%s: as it came',
  (name, json) => {
    const reading = read(json);
    if (name.startsWith('transaction_result')) expect(reading).toMatchObject({ transaction: { status: 'paid' } });
    else expect(reading.kind).toBe('ignored');
  },
);
