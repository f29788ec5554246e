import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { isVerified } from '../testing/signatures.ts';
import { tap } from './index.ts';
import { signedTextOf } from './verify.ts';

const CHARGE = {
  id: 'chg_1',
  object: 'charge',
  status: 'CAPTURED',
  amount: 1,
  currency: 'SAR',
  transaction: { created: '1700000000000' },
  reference: { gateway: 'gw-1', payment: 'pay-1', order: 'ORD-7', transaction: 'txn-1' },
};
const read = (body: object) => tap.readTransaction(callOf(body), RIYADH);

describe('a call', () => {
  const settings = { webhook_secret: 'sk_test' };
  const sign = (text: string) => createHmac('sha256', 'sk_test').update(text).digest('hex');
  const verified = (body: unknown, text: string) =>
    isVerified(tap.app, settings, body, { headers: { hashstring: sign(text) } });
  const rest = 'x_gateway_referencegw-1x_payment_referencepay-1x_statusCAPTUREDx_created1700000000000';

  test.each([
    ['SAR', 1, '1.00'],
    ['SAR', 1.5, '1.50'],
    ['KWD', 1.5, '1.500'],
    ['BHD', 1, '1.000'],
    ['OMR', 12.345, '12.345'],
    ['JOD', 7, '7.000'],
    ['JPY', 7, '7'],
    ['SAR', '10.10', '10.10'],
  ])('is verified by fields of it: %s %s is signed as %s', (currency, amount, text) => {
    expect(verified({ ...CHARGE, currency, amount }, `x_idchg_1x_amount${text}x_currency${currency}${rest}`)).toBe(
      true,
    );
  });

  test('with anything else in a signed field is not', () => {
    const text = `x_idchg_1x_amount1.00x_currencySAR${rest}`;
    expect(verified(CHARGE, text)).toBe(true);
    for (const change of [{ amount: 2 }, { status: 'FAILED' }, { id: 'chg_2' }, { amount: 'x' }, { amount: null }])
      expect(verified({ ...CHARGE, ...change }, text)).toBe(false);
    expect(isVerified(tap.app, settings, CHARGE)).toBe(false);
    expect(isVerified(tap.app, {}, CHARGE, { headers: { hashstring: sign(text) } })).toBe(false);
  });

  test('about an invoice signs its change, about a refund its own time', () => {
    const invoice = {
      id: 'inv_1',
      object: 'invoice',
      amount: 5,
      currency: 'SAR',
      status: 'PAID',
      updated: 2,
      created: 1,
    };
    expect(verified(invoice, 'x_idinv_1x_amount5.00x_currencySARx_updated2x_statusPAIDx_created1')).toBe(true);
    const refund = { id: 're_1', object: 'refund', amount: 5, currency: 'SAR', status: 'REFUNDED', created: 9 };
    expect(
      verified(
        refund,
        'x_idre_1x_amount5.00x_currencySARx_gateway_referencex_payment_referencex_statusREFUNDEDx_created9',
      ),
    ).toBe(true);
  });
});

describe('a transaction', () => {
  test('is a charge', () => {
    const reading = read(CHARGE);
    expect(reading).toMatchObject({
      event: 'charge.captured',
      transaction: {
        providerReference: 'chg_1',
        merchantReference: 'ORD-7',
        currency: 'SAR',
        status: 'paid',
        occurredAt: new Date(1_700_000_000_000),
      },
    });
  });

  test.each([
    ['INITIATED', 'pending'],
    ['IN_PROGRESS', 'pending'],
    ['AUTHORIZED', 'pending'],
    ['UNKNOWN', 'pending'],
    ['CAPTURED', 'paid'],
    ['ABANDONED', 'cancelled'],
    ['CANCELLED', 'cancelled'],
    ['VOID', 'cancelled'],
    ['FAILED', 'failed'],
    ['DECLINED', 'failed'],
    ['RESTRICTED', 'failed'],
    ['TIMEDOUT', 'failed'],
  ])('%s is %s', (status, expected) => {
    expect(read({ ...CHARGE, status })).toMatchObject({ transaction: { status: expected } });
  });

  test.each([['1700000000000.5'], ['soon'], [null], [{}], ['99999999999999']])('made at %j has no time', (created) => {
    const reading = read({ ...CHARGE, transaction: { created } });
    expect(reading).toMatchObject({ transaction: { status: 'paid', occurredAt: undefined } });
  });

  test('of a refund belongs to its charge, and counts when it is done', () => {
    const refund = { ...CHARGE, id: 're_1', object: 'refund', charge_id: 'chg_1', amount: 0.4 };
    expect(read({ ...refund, status: 'REFUNDED' })).toMatchObject({
      transaction: { status: 'refunded', providerReference: 're_1', parentReference: 'chg_1' },
    });
    expect(read({ ...refund, status: 'PENDING' }).kind).toBe('ignored');
    expect(read({ ...refund, status: 'FAILED' }).kind).toBe('ignored');
  });

  test('is an invoice, and nothing else', () => {
    expect(read({ ...CHARGE, object: 'invoice', status: 'PAID' })).toMatchObject({ transaction: { status: 'paid' } });
    expect(read({ object: 'card', id: 'card_1' }).kind).toBe('ignored');
    expect(read({ id: 'x' }).kind).toBe('ignored');
  });

  test.each([
    ['chg_1', '/v2/charges/chg_1'],
    ['auth_1', '/v2/authorize/auth_1'],
    ['re_1', '/v2/refunds/re_1'],
    ['inv_1', '/v2/invoices/inv_1'],
    ['../1', '/v2/charges/..%2F1'],
  ])('%s is read back at %s', async (id, path) => {
    const { client, calls } = vendorOf(inTurn(CHARGE));
    expect(await tap.readBack(id, client, {})).toMatchObject({ status: 'paid' });
    expect(calls).toEqual([{ method: 'GET', path }]);
  });
});

test.each(samplesOf('tap').map(({ name, json }): [string, object] => [name, json]))('%s: as it came', (_name, json) => {
  const reading = read(json);
  if (reading.kind !== 'transaction') throw new Error(reading.kind);
  expect([toText(reading.transaction.amount), reading.transaction.status]).toEqual(['1', 'paid']);
  expect(signedTextOf(readerOf(json))).toContain('x_amount1.00x_currencySAR');
});
