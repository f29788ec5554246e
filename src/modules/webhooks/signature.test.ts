import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLoopback, type Loopback, messageTo } from '../../platform/outbound/testing/loopback.ts';
import { type ReceivedRequest, startReceiver } from '../../platform/outbound/testing/receiver.ts';
import { newSecret, secretHint, signatureHeader } from './signature.ts';

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function signed(body: string | Buffer, secrets: string[], id = 'evt_1_2') {
  const timestampSeconds = nowSeconds();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ id, timestampSeconds, body, secrets }),
  };
}

describe('newSecret', () => {
  it('is whsec_ and base64 of 24 to 32 bytes, never the same twice', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      const text = /^whsec_([A-Za-z0-9+/]+)$/.exec(secret)?.[1] ?? '';
      const key = Buffer.from(text, 'base64');
      expect(key.toString('base64')).toBe(text);
      expect(key.length).toBeGreaterThanOrEqual(24);
      expect(key.length).toBeLessThanOrEqual(32);
    }
  });

  it('is hinted at by its last four characters', () => {
    expect(secretHint('whsec_abcdefgh1234')).toBe('1234');
  });
});

describe('signatureHeader', () => {
  it('matches a value worked out by another implementation', () => {
    const secret = `whsec_${Buffer.from('a key of twenty-four b..').toString('base64')}`;
    const header = signatureHeader({
      id: 'evt_7_9',
      timestampSeconds: 1_700_000_000,
      body: '{"a":1}',
      secrets: [secret],
    });
    expect(header).toBe(new Webhook(secret).sign('evt_7_9', new Date(1_700_000_000_000), '{"a":1}'));
    expect(header).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it('is accepted by an independent receiver for any body', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        const secret = newSecret();
        expect(new Webhook(secret).verify(body, signed(body, [secret]))).toEqual(JSON.parse(body));
      }),
    );
  });

  it('carries one value for each secret, and either secret verifies', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signed('{}', secrets);
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
    expect(() => new Webhook(newSecret()).verify('{}', headers)).toThrow('No matching signature');
  });

  it.each([
    ['body', { body: '{"a":2}' }],
    ['id', { id: 'evt_1_3' }],
    ['timestamp', { shiftSeconds: 1 }],
  ])(
    'does not hold for another %s',
    (_what, {
      body = '{"a":1}',
      id = 'evt_1_2',
      shiftSeconds = 0,
    }: { body?: string; id?: string; shiftSeconds?: number }) => {
      const secret = newSecret();
      const headers = signed('{"a":1}', [secret]);
      const changed = {
        ...headers,
        'webhook-id': id,
        'webhook-timestamp': String(Number(headers['webhook-timestamp']) + shiftSeconds),
      };
      expect(() => new Webhook(secret).verify(body, changed)).toThrow('No matching signature');
    },
  );

  it('refuses a secret without its prefix and a time that is not whole seconds', () => {
    const signing = { id: 'evt_1_2', timestampSeconds: 1, body: '{}' };
    expect(() => signatureHeader({ ...signing, secrets: ['abcd'] })).toThrow('whsec_');
    expect(() => signatureHeader({ ...signing, timestampSeconds: 1.5, secrets: [newSecret()] })).toThrow(
      'whole seconds',
    );
  });

  it('signs with the right secret among very many', () => {
    const secrets = Array.from({ length: 2500 }, newSecret);
    for (const secret of [...secrets, ...secrets.slice(0, 50)]) {
      expect(new Webhook(secret).verify('{}', signed('{}', [secret]))).toEqual({});
    }
  });
});

describe('over real TLS', () => {
  let loopback: Loopback;

  beforeAll(async () => {
    loopback = await createLoopback();
  });

  afterEach(() => loopback.closeAll());

  it.each([
    ['plain JSON', '{"type":"order.created"}'],
    ['Arabic and emoji', '{"name":"دكان 🛍️"}'],
    ['odd but valid spacing and escapes', '{ "a" :\t1e2,\n"b":"\\u0000\\ud83d" }'],
    ['a large body', JSON.stringify({ lines: Array.from({ length: 5000 }, (_, index) => ({ index })) })],
  ])('%s verifies on the raw bytes that arrive', async (_what, body) => {
    const secrets = [newSecret(), newSecret()];
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const outcome = await loopback
      .openSender()
      .post(
        messageTo(receiver.port, { headers: { 'content-type': 'application/json', ...signed(body, secrets) }, body }),
      );
    expect(outcome).toMatchObject({ ok: true });

    const [request] = receiver.requests as [ReceivedRequest];
    const headers = request.headers as Record<string, string>;
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(request.rawBody, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(newSecret()).verify(request.rawBody, headers)).toThrow('No matching signature');
    const tampered = Buffer.from(request.rawBody);
    tampered[tampered.length - 1] = 0x20;
    expect(() => new Webhook(secrets[0] ?? '').verify(tampered, headers)).toThrow('No matching signature');
  });
});
