import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSecret, signatureHeader } from '../../src/modules/webhooks/signature.ts';
import { signWebhook, verifyWebhook } from './index.ts';

const secret = newSecret();
const body = JSON.stringify({ id: 'evt_1_2', type: 'order.created', order: { name: 'دكان' } });
const now = new Date('2026-11-16T08:00:00Z');

function delivered(secrets = [secret], at = now, text = body) {
  const timestampSeconds = at.getTime() / 1000;
  return {
    'webhook-id': 'evt_1_2',
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ id: 'evt_1_2', timestampSeconds, body: text, secrets }),
  };
}

describe('verifyWebhook', () => {
  test('gives the event of a delivery that the service signed, from any form of body and headers', async () => {
    const headers = delivered();
    const event = JSON.parse(body);
    expect(await verifyWebhook(body, headers, secret, { now })).toEqual(event);
    expect(await verifyWebhook(Buffer.from(body), new Headers(headers), secret, { now })).toEqual(event);
    const bytes = new TextEncoder().encode(body);
    const shouted = { ...headers, 'webhook-signature': undefined, 'Webhook-Signature': [headers['webhook-signature']] };
    expect(await verifyWebhook(bytes.buffer, shouted, secret, { now })).toEqual(event);
  });

  test('takes either secret while one is being rotated, and a list of one’s own', async () => {
    const [older, newer] = [newSecret(), newSecret()];
    for (const one of [older, newer]) await verifyWebhook(body, delivered([newer, older]), one, { now });
    await verifyWebhook(body, delivered([newer]), [older, newer], { now });
    const future = { ...delivered([newer]) };
    future['webhook-signature'] = `v2,abc ${future['webhook-signature']} v1,%%%`;
    await verifyWebhook(body, future, newer, { now });
  });

  test.each([
    ['webhook-signature', 'another secret', body, delivered([newSecret()]), {}],
    ['webhook-signature', 'a changed body', body.replace('created', 'deleted'), delivered(), {}],
    ['webhook-signature', 'another id', body, { ...delivered(), 'webhook-id': 'evt_9_9' }, {}],
    ['webhook-signature', 'no version that is known', body, { ...delivered(), 'webhook-signature': 'v9,abcd' }, {}],
    ['webhook-expired', 'a repeat of an old one', body, delivered([secret], new Date(now.getTime() - 301_000)), {}],
    ['webhook-expired', 'one of tomorrow', body, delivered([secret], new Date(now.getTime() + 301_000)), {}],
    [
      'webhook-expired',
      'a narrower limit',
      body,
      delivered([secret], new Date(now.getTime() - 11_000)),
      { toleranceSeconds: 10 },
    ],
    ['webhook-timestamp', 'a time that is none', body, { ...delivered(), 'webhook-timestamp': 'soon' }, {}],
    ['webhook-headers', 'no headers', body, {}, {}],
  ])('%s: refuses %s', async (reason, _what, text, headers, options) => {
    await expect(verifyWebhook(text, headers, secret, { now, ...options })).rejects.toMatchObject({ reason });
  });

  test('reads a Headers of another library, and headers that were joined', async () => {
    const headers = delivered();
    const foreign = { get: (name: string) => new Headers(headers).get(name) } as Headers;
    await verifyWebhook(body, foreign, secret, { now });
    const twice = `v1,AAAA, ${headers['webhook-signature']}, v1,BBBB`;
    await verifyWebhook(body, { ...headers, 'webhook-signature': twice }, secret, { now });
  });

  test('refuses when the age cannot be computed', async () => {
    for (const options of [{ now: new Date('soon') }, { now, toleranceSeconds: Number.NaN }]) {
      await expect(verifyWebhook(body, delivered(), secret, options)).rejects.toMatchObject({
        reason: 'webhook-expired',
      });
    }
  });

  test('hashes the body for ten signatures at most', async () => {
    const others = Array.from({ length: 10 }, () => delivered([newSecret()])['webhook-signature']);
    const headers = delivered();
    const behind = (count: number) => [...others.slice(0, count), headers['webhook-signature']].join(' ');
    await verifyWebhook(body, { ...headers, 'webhook-signature': behind(9) }, secret, { now });
    const many = verifyWebhook(body, { ...headers, 'webhook-signature': behind(10) }, secret, { now });
    await expect(many).rejects.toMatchObject({ reason: 'webhook-signature' });
  });

  test('says so when the secret is none', async () => {
    for (const wrong of ['abcd', 'whsec_%%%', 'whsec_']) {
      await expect(verifyWebhook(body, delivered(), wrong, { now })).rejects.toMatchObject({
        reason: 'webhook-secret',
      });
    }
  });
});

test('signWebhook signs as the service does, and an independent receiver agrees', async () => {
  expect(await signWebhook(body, { id: 'evt_1_2', secret: [secret], now })).toEqual(delivered());
  const headers = await signWebhook(body, { id: 'evt_1_2', secret });
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});
