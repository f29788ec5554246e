import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { toText } from '../../platform/money.ts';
import { MissingCredentials, type StagedCall, VendorUnavailable } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { hyperpay } from './index.ts';

const KEY = 'ab'.repeat(32);
const settings = { webhook_secret: KEY };
const PAYMENT = {
  id: 'hp-1',
  paymentType: 'DB',
  amount: '92.00',
  currency: 'SAR',
  merchantTransactionId: 'ORD-7',
  result: { code: '000.000.000' },
  timestamp: '2026-11-15 08:59:00+0000',
};

function sealed(message: unknown): StagedCall {
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(KEY, 'hex'), Buffer.alloc(12, 7));
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const hidden = Buffer.concat([cipher.update(text), cipher.final()]);
  return callOf(hidden.toString('hex').toUpperCase(), {
    headers: {
      'x-initialization-vector': Buffer.alloc(12, 7).toString('hex'),
      'x-authentication-tag': cipher.getAuthTag().toString('hex'),
    },
  });
}
const read = (payload: object, type = 'PAYMENT') =>
  hyperpay.readTransaction(sealed({ type, payload }), { ...RIYADH, settings });

describe('a call', () => {
  const call = sealed({ type: 'PAYMENT', payload: PAYMENT });
  const text = call.body.toString();
  const verified = (body: string, headers = call.headers, using = settings) =>
    isVerified(hyperpay.app, using, body, { headers });

  test('is verified by what it hides, bare or wrapped', () => {
    expect(verified(text)).toBe(true);
    expect(verified(`${text}\n`)).toBe(true);
    expect(verified(JSON.stringify({ encryptedBody: text }))).toBe(true);
  });

  test.each([
    ['changed', text.replace(/^../, text.startsWith('00') ? '01' : '00')],
    ['no hex', `${text}zz`],
    ['plain', JSON.stringify({ type: 'PAYMENT', payload: PAYMENT })],
    ['wrapped otherwise', JSON.stringify({ encryptedBody: { a: text } })],
    ['cut off', '{"encryptedBody":"'],
    ['empty', ''],
  ])('that is %s is not', (_name, body) => {
    expect(verified(body)).toBe(false);
  });

  test('needs the tag, the vector and the key', () => {
    const { 'x-authentication-tag': tag = '', ...untagged } = call.headers;
    expect(verified(text, untagged)).toBe(false);
    // A tag of four bytes would be guessed in an hour.
    expect(verified(text, { ...call.headers, 'x-authentication-tag': tag.slice(0, 8) })).toBe(false);
    expect(verified(text, call.headers, { webhook_secret: 'cd'.repeat(32) })).toBe(false);
    expect(verified(text, call.headers, { webhook_secret: 'short' })).toBe(false);
  });

  test('of two megabytes is answered like any other', () => {
    expect(verified('ab'.repeat(1_000_000))).toBe(false);
  });
});

describe('a transaction', () => {
  test('is what was hidden', () => {
    const reading = read(PAYMENT);
    expect(reading).toMatchObject({
      event: 'PAYMENT.DB',
      transaction: {
        providerReference: 'hp-1',
        merchantReference: 'ORD-7',
        currency: 'SAR',
        status: 'paid',
        occurredAt: new Date('2026-11-15T08:59:00Z'),
      },
    });
    expect(reading.kind === 'transaction' && toText(reading.transaction.amount)).toBe('92.00');
  });

  test.each([
    ['DB', '000.000.000', 'paid'],
    ['DB', '000.100.110', 'paid'],
    ['DB', '000.300.000', 'paid'],
    ['DB', '000.200.100', 'pending'],
    ['DB', '800.400.500', 'pending'],
    ['DB', '800.100.153', 'failed'],
    ['DB', '000.400.030', 'failed'],
    ['DB', '', 'failed'],
    ['PA', '000.000.000', 'pending'],
    ['PA', '800.100.153', 'failed'],
    ['CP', '000.000.000', 'paid'],
    ['RF', '000.000.000', 'refunded'],
    ['RV', '000.000.000', 'cancelled'],
  ])('%s %s is %s', (paymentType, code, status) => {
    expect(read({ ...PAYMENT, paymentType, result: { code } })).toMatchObject({ transaction: { status } });
  });

  test('of a refund belongs to the payment, and leaves it alone when it fails', () => {
    const refund = { ...PAYMENT, id: 'hp-2', paymentType: 'RF', referencedId: 'hp-1' };
    expect(read(refund)).toMatchObject({ transaction: { providerReference: 'hp-2', parentReference: 'hp-1' } });
    expect(read({ ...refund, result: { code: '800.100.153' } }).kind).toBe('ignored');
  });

  test('is not a registration, a risk, or a test', () => {
    expect(read({ id: '1' }, 'REGISTRATION').kind).toBe('ignored');
    expect(read({ ...PAYMENT, paymentType: 'CB' }).kind).toBe('ignored');
  });

  test('that no longer opens waits for the right key', () => {
    const context = { ...RIYADH, settings: { webhook_secret: 'cd'.repeat(32) } };
    expect(() => hyperpay.readTransaction(sealed({ type: 'PAYMENT', payload: PAYMENT }), context)).toThrow(
      expect.objectContaining({ code: 'not_decrypted' }),
    );
  });

  test('is read back from the channel it came through', async () => {
    const { client, calls } = vendorOf(inTurn(PAYMENT));
    expect(await hyperpay.readBack('hp-1', client, { merchant_code: 'entity' })).toMatchObject({ status: 'paid' });
    expect(calls).toEqual([{ method: 'GET', path: '/v1/query/hp-1', query: { entityId: 'entity' } }]);
    const listed = vendorOf(inTurn({ records: [PAYMENT] }));
    expect(await hyperpay.readBack('hp-1', listed.client, { merchant_code: 'e' })).toMatchObject({ status: 'paid' });
    await expect(hyperpay.readBack('hp-1', vendorOf(inTurn({})).client, {})).rejects.toThrow(MissingCredentials);
    const other = vendorOf(inTurn({ result: { code: '200.300.404' } }));
    await expect(hyperpay.readBack('hp-1', other.client, { merchant_code: 'e' })).rejects.toThrow(VendorUnavailable);
  });
});

test.each(samplesOf('hyperpay').map(({ name, json }): [string, object] => [name, json]))(
  '%s: as it came',
  async (name, json) => {
    if (name.startsWith('webhook_')) {
      const reading = hyperpay.readTransaction(sealed(json), { ...RIYADH, settings });
      expect(reading).toMatchObject({ transaction: { status: 'pending', currency: 'EUR' } });
      return;
    }
    const answer = hyperpay.readBack('x', vendorOf(inTurn(json)).client, { merchant_code: 'e' });
    if (name.includes('success')) expect(await answer).toMatchObject({ status: 'paid' });
    else await expect(answer).rejects.toThrow(VendorUnavailable);
  },
);
