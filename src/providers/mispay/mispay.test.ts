import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import { decimal, ZERO } from '../../platform/money.ts';
import { VendorRefused } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { mispay } from './index.ts';

const SECRET = 'app-secret';
const ok = (result: object) => ({ status: 'success', result });
const CAPTURE = {
  providerReference: 't-1',
  amount: decimal('300'),
  currency: 'SAR',
  referenceId: 'cap-1',
  capturedBefore: ZERO,
  now: RIYADH.receivedAt,
};

test('a call is verified by the ingest token, in the header or the URL', () => {
  expect(isVerified(mispay.app, {}, {}, { headers: { 'x-ingest-token': 'ours' } })).toBe(true);
  expect(isVerified(mispay.app, {}, {}, { query: { token: 'ours' } })).toBe(true);
  expect(isVerified(mispay.app, {}, {}, { query: { token: 'theirs' } })).toBe(false);
  expect(isVerified(mispay.app, {}, {})).toBe(false);
});

describe('a token', () => {
  function sealed(content: string, secret = SECRET): string {
    const [salt, nonce] = [Buffer.alloc(16, 1), Buffer.alloc(12, 2)];
    const cipher = createCipheriv('aes-256-gcm', pbkdf2Sync(secret, salt, 40_000, 32, 'sha256'), nonce);
    const hidden = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([salt, nonce, hidden, cipher.getAuthTag()]).toString('base64');
  }
  const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  const credentials = mispay.credentials({ client_id: 'app', client_secret: SECRET });
  if (credentials.kind !== 'token') throw new Error(credentials.kind);
  const open = (json: unknown) => credentials.read({ status: 200, json });

  test('is asked for with both, comes encrypted, and lives as long as it says', () => {
    expect(credentials.request).toEqual({
      method: 'GET',
      path: '/token',
      headers: { 'x-app-id': 'app', 'x-app-secret': SECRET },
    });
    const token = jwt({ iat: 1000, exp: 1900 });
    expect(open(ok({ token: sealed(JSON.stringify({ token })) }))).toEqual({
      headers: { 'x-app-id': 'app', authorization: `Bearer ${token}` },
      livesForSeconds: 900,
    });
  });

  test.each([
    ['says nothing', 300, {}],
    ['ends at once', 60, { iat: 10, exp: 11 }],
    ['never ends', 3600, { iat: 10, exp: 1e15 }],
  ])('that %s lives for %i seconds', (_name, seconds, claims) => {
    expect(open(ok({ token: sealed(JSON.stringify({ token: jwt(claims) })) })).livesForSeconds).toBe(seconds);
  });

  test.each([
    ['missing', ok({})],
    ['too short', ok({ token: 'AAAA' })],
    ['of another secret', ok({ token: sealed('{"token":"a"}', 'other') })],
    ['not JSON inside', ok({ token: sealed('token') })],
    ['two lines of a header', ok({ token: sealed(JSON.stringify({ token: 'a\r\nx-other: b' })) })],
    ['huge', ok({ token: 'A'.repeat(10_000) })],
    ['no text', ok({ token: { __proto__: 1 } })],
  ])('that is %s cannot be read', (_name, json) => {
    expect(() => open(json)).toThrow(Unreadable);
  });

  test('needs both settings', () => {
    expect(mispay.credentials({ client_id: 'app' })).toEqual({ kind: 'missing', setting: 'client_secret' });
    expect(mispay.credentials({})).toEqual({ kind: 'missing', setting: 'client_id' });
  });
});

test.each([
  ['MP00', undefined, undefined],
  ['MP01', undefined, 'cancelled'],
  ['MP02', undefined, 'cancelled'],
  ['MP03', true, 'refunded'],
  ['MP03', false, undefined],
])('a notice %s, all refunded: %s, claims %s', (code, isFullyRefunded, claims) => {
  expect(mispay.readNotice(callOf({ checkoutId: 'c-1', orderId: 'own-1', code, isFullyRefunded }), RIYADH)).toEqual({
    kind: 'payment',
    event: code,
    providerReference: 'c-1',
    ownId: 'own-1',
    claims,
  });
});

test.each(samplesOf('mispay').map(({ name, json }): [string, object] => [name, json]))(
  '%s: a notice',
  (_name, json) => {
    expect(mispay.readNotice(callOf(json), RIYADH)).toMatchObject({ kind: 'payment', claims: 'refunded' });
  },
);

test('a paylink is a checkout in riyals', async () => {
  const request = {
    ownId: 'own-1',
    amount: decimal('300.5'),
    currency: 'SAR',
    lineItems: [],
    returnUrl: 'https://shop.example',
  };
  const { client, calls } = vendorOf(inTurn(ok({ url: 'https://mispay.example/1', trackId: 't-1' })));
  expect(await mispay.live.createPaylink(request, client, {})).toEqual({
    providerReference: 't-1',
    url: 'https://mispay.example/1',
  });
  expect(calls).toEqual([
    {
      method: 'POST',
      path: '/start-checkout',
      json: { version: 'v1.1', orderId: 'own-1', purchaseAmount: 300.5, purchaseCurrency: 'SAR', lang: 'ar' },
    },
  ]);
  const inDirhams = mispay.live.createPaylink({ ...request, currency: 'AED' }, vendorOf(inTurn()).client, {});
  await expect(inDirhams).rejects.toThrow(VendorRefused);
  const refused = vendorOf(inTurn({ status: 'error', message: 'too little' }));
  await expect(mispay.live.createPaylink(request, refused.client, {})).rejects.toThrow('too little');
});

describe('a payment', () => {
  const tracked = (status: string) => ok({ status, checkoutId: 'c-1' });

  test.each([
    ['pending', 'created'],
    ['in-progress', 'created'],
    ['success', 'authorized'],
    ['canceled', 'cancelled'],
    ['error', 'failed'],
  ])('tracked as %s is %s', async (word, status) => {
    const { client, calls } = vendorOf(inTurn(tracked(word)));
    expect(await mispay.live.readPayment('t-1', client)).toMatchObject({ status, amount: undefined });
    expect(calls).toEqual([{ method: 'GET', path: '/track-checkout/t-1' }]);
  });

  test('is captured by ending its checkout, once', async () => {
    const { client, calls } = vendorOf(inTurn(tracked('success'), ok({ transactionId: '1' })));
    await mispay.live.capture(CAPTURE, client);
    expect(calls.at(-1)).toEqual({ method: 'PUT', path: '/checkout/c-1/end' });
    const ended = { status: 'error', message: 'ended' };
    await mispay.live.capture(CAPTURE, vendorOf(inTurn(tracked('success'), ended, tracked('success'))).client);
    const lapsed = vendorOf(inTurn(tracked('success'), ended, tracked('canceled')));
    await expect(mispay.live.capture(CAPTURE, lapsed.client)).rejects.toThrow('ended');
    await expect(mispay.live.capture(CAPTURE, vendorOf(inTurn(tracked('pending'))).client)).rejects.toThrow(
      VendorRefused,
    );
  });

  test('is not cancelled once it was made', async () => {
    const request = { providerReference: 't-1', amount: decimal('300'), currency: 'SAR' };
    await expect(mispay.live.cancel(request, vendorOf(inTurn(tracked('success'))).client)).rejects.toThrow(
      VendorRefused,
    );
    expect(await mispay.live.cancel(request, vendorOf(inTurn(tracked('pending'))).client)).toBe(false);
    expect(await mispay.live.cancel(request, vendorOf(inTurn(tracked('canceled'))).client)).toBe(true);
  });
});
