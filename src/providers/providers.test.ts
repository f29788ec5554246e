import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../channels/testing/calls.ts';
import { oddPayloads } from '../channels/testing/odd-payloads.ts';
import { inTurn, vendorOf } from '../channels/testing/vendor.ts';
import { Unreadable } from '../platform/inbound/index.ts';
import { decimal, toText, ZERO } from '../platform/money.ts';
import {
  authoriseInSandbox,
  cancelInSandbox,
  captureInSandbox,
  MissingCredentials,
  openInSandbox,
  type PaylinkStatus,
  type Provider,
  paylinkMayBecome,
  type SandboxOutcome,
  type SandboxPayment,
  transactionMayBecome,
  VendorRefused,
  VendorUnavailable,
} from './contract.ts';
import { findProvider, findProviderByApp, PROVIDERS } from './list.ts';
import { SHAPES } from './testing/shapes.ts';

describe('the list', () => {
  test('contains the providers of the specification and their apps', () => {
    expect(PROVIDERS.map(({ id, type, app }) => [id, type, app.slug, app.inbound?.authentication])).toEqual([
      ['tabby', 'bnpl', 'tabby-pos-paylinks', 'secret'],
      ['tamara', 'bnpl', 'tamara-pos-paylinks', 'secret'],
      ['mispay', 'bnpl', 'mispay-pos-paylinks', 'token'],
      ['moyasar', 'gateway_sync', 'moyasar-sync', 'secret'],
      ['hyperpay', 'gateway_sync', 'hyperpay-sync', 'signed'],
      ['paytabs', 'gateway_sync', 'paytabs-sync', 'signed'],
      ['tap', 'gateway_sync', 'tap-sync', 'signed'],
      ['myfatoorah', 'gateway_sync', 'myfatoorah-sync', 'signed'],
      ['geidea', 'gateway_sync', 'geidea-sync', 'signed'],
    ]);
    for (const { app, type } of PROVIDERS) {
      expect(app).toMatchObject({ family: 'payment', kind: type, apiBaseUrl: expect.stringMatching(/^https:\/\//) });
      expect(app.settings.includes('sandbox')).toBe(type === 'bnpl');
      expect(app.settings.includes('webhook_secret')).toBe(app.inbound?.authentication !== 'token');
    }
  });

  test('finds a provider by its id or its app', () => {
    expect(findProvider('tap')).toBe(findProviderByApp('tap-sync'));
    expect([findProvider('tap-sync'), findProviderByApp('tap'), findProvider('constructor')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('names the setting that a call lacks', () => {
    const lacking = PROVIDERS.map(({ credentials }) => credentials({}));
    expect(lacking.map((found) => found.kind === 'missing' && found.setting)).toEqual([
      'access_token',
      'access_token',
      'client_id',
      'access_token',
      'access_token',
      'client_id',
      'access_token',
      'access_token',
      'merchant_code',
    ]);
  });
});

describe('status transitions', () => {
  test('a captured payment is only ever refunded', () => {
    const statuses: PaylinkStatus[] = [
      'created',
      'authorized',
      'captured',
      'cancelled',
      'expired',
      'failed',
      'refunded',
    ];
    expect(statuses.filter((to) => paylinkMayBecome('captured', to))).toEqual(['refunded']);
    expect(statuses.filter((to) => paylinkMayBecome('refunded', to))).toEqual([]);
    // Money that was taken counts, whatever we thought of the page before.
    expect(statuses.filter((from) => paylinkMayBecome(from, 'captured'))).not.toContain('refunded');
    expect(statuses.filter((from) => paylinkMayBecome(from, 'created'))).toEqual([]);
  });

  test('a failed attempt does not undo the one that succeeded', () => {
    expect(transactionMayBecome('failed', 'paid')).toBe(true);
    expect(transactionMayBecome('paid', 'failed')).toBe(false);
    expect(transactionMayBecome('paid', 'pending')).toBe(false);
    expect(transactionMayBecome('refunded', 'paid')).toBe(false);
  });
});

describe('the sandbox', () => {
  const now = RIYADH.receivedAt;
  const rules = { linkLivesForMinutes: 15, capturesInParts: true };
  const opened = openInSandbox(rules, { amount: decimal('100'), currency: 'SAR', now });
  const done = (outcome: SandboxOutcome): SandboxPayment => {
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome.payment;
  };
  const capture = (payment: SandboxPayment, amount: string, referenceId: string) =>
    captureInSandbox(rules, payment, { amount: decimal(amount), referenceId });

  test('authorises, then captures in parts', () => {
    const agreed = done(authoriseInSandbox(opened, now));
    expect(authoriseInSandbox(agreed, now)).toEqual({ ok: true, payment: agreed });
    const part = done(capture(agreed, '60', 'a'));
    expect([part.status, toText(part.capturedAmount)]).toEqual(['authorized', '60']);
    expect(done(capture(part, '60', 'a'))).toBe(part);
    expect(capture(part, '40.01', 'b')).toEqual({ ok: false, reason: 'beyond_amount' });
    expect(capture(part, '0', 'b')).toEqual({ ok: false, reason: 'beyond_amount' });
    const whole = done(capture(part, '40.00', 'b'));
    expect([whole.status, toText(whole.capturedAmount)]).toEqual(['captured', '100.00']);
    expect(done(capture(whole, '40', 'b'))).toBe(whole);
    expect(capture(whole, '1', 'c')).toEqual({ ok: false, reason: 'wrong_state' });
    expect(cancelInSandbox(whole)).toEqual({ ok: false, reason: 'wrong_state' });
    // The remaining amount is cancelled, the captured part stays.
    expect(done(cancelInSandbox(part))).toMatchObject({ status: 'captured', capturedAmount: part.capturedAmount });
  });

  test('refuses a late authorisation, an early capture, and partial captures if unsupported', () => {
    expect(authoriseInSandbox(opened, new Date(now.getTime() + 15 * 60_000))).toMatchObject({ reason: 'wrong_state' });
    expect(capture(opened, '100', 'a')).toMatchObject({ reason: 'wrong_state' });
    const agreed = done(authoriseInSandbox(opened, now));
    const part = { amount: decimal('60'), referenceId: 'a' };
    expect(captureInSandbox({ capturesInParts: false }, agreed, part)).toMatchObject({ reason: 'whole_only' });
    const cancelled = done(cancelInSandbox(opened));
    expect(cancelled.status).toBe('cancelled');
    expect(done(cancelInSandbox(cancelled))).toBe(cancelled);
    expect(authoriseInSandbox(cancelled, now)).toMatchObject({ reason: 'wrong_state' });
  });
});

const settings = { webhook_secret: 'ab'.repeat(32), merchant_code: 'm', client_id: '1', client_secret: 's' };
const HEADERS = {
  hashstring: 'x',
  signature: 'x',
  'myfatoorah-signature': 'x',
  'x-initialization-vector': 'ab',
  'x-authentication-tag': 'ab'.repeat(16),
  authorization: 'Bearer a.b.c',
};
const request = { providerReference: '1', sessionReference: '1', amount: decimal('1'), currency: 'SAR' };
const paylink = { ...request, ownId: '1', lineItems: [], returnUrl: 'https://a' };

describe.each(PROVIDERS.map((provider): [string, Provider] => [provider.id, provider]))('%s', (id, provider) => {
  const payloads = oddPayloads(SHAPES[id] ?? {});
  const isKnown = (error: unknown) =>
    error instanceof VendorRefused || error instanceof VendorUnavailable || error instanceof MissingCredentials;

  test('does not throw for any input of an unauthenticated client', () => {
    const bodies = fc.oneof(
      payloads,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(bodies, fc.dictionary(fc.constantFrom(...Object.keys(HEADERS)), fc.string()), (body, headers) => {
        const call = callOf(body, { headers: { ...HEADERS, ...headers }, query: { tamaraToken: 'a.b', token: 'x' } });
        const context = { settings, ingestToken: 'ours', ingestUrl: '', now: RIYADH.receivedAt };
        expect(provider.app.inbound?.verify(call, context)).toBe(false);
        const delivery = provider.app.inbound?.findDeliveryId?.(call);
        expect(delivery === undefined || delivery.length <= 200).toBe(true);
        try {
          if (provider.type === 'bnpl') provider.readNotice(call, { ...RIYADH, settings });
          else provider.readTransaction(call, { ...RIYADH, settings });
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
    );
  });

  test('rejects only with errors of the contract, for any response of the provider', async () => {
    const answers = fc.array(fc.oneof(payloads, fc.constant(new VendorRefused(409, 'no'))), {
      minLength: 4,
      maxLength: 4,
    });
    const capture = { ...request, referenceId: 'cap', capturedBefore: ZERO, now: RIYADH.receivedAt };
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const attempts =
          provider.type === 'bnpl'
            ? [
                () => provider.live.createPaylink(paylink, vendorOf(inTurn(...given)).client, settings),
                () => provider.live.readPayment('1', vendorOf(inTurn(...given)).client),
                () => provider.live.capture(capture, vendorOf(inTurn(...given)).client),
                () => provider.live.cancel(request, vendorOf(inTurn(...given)).client),
              ]
            : [() => provider.readBack('1', vendorOf(inTurn(...given)).client, settings)];
        for (const attempt of attempts)
          await attempt().catch((error) => expect([error, isKnown(error)]).toEqual([error, true]));
      }),
    );
  });
});
