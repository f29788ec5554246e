import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_ADDRESSES, HOSTILE_URLS } from './testing/hostile-targets.ts';
import { createLoopback, INTERNAL_ADDRESS, type Loopback, messageTo } from './testing/loopback.ts';
import { startReceiver } from './testing/receiver.ts';

let loopback: Loopback;

beforeAll(async () => {
  loopback = await createLoopback();
});

afterEach(async () => {
  await loopback.closeAll();
});

describe('hostile targets', () => {
  it('are never contacted, whatever their spelling', async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return ['127.0.0.1'];
    };
    const sender = loopback.openSender({ allowedNetworks: [], resolve });
    for (const [trick, url] of HOSTILE_URLS) {
      const outcome = await sender.post(messageTo(443, { url }));
      expect(outcome, trick).toMatchObject({
        ok: false,
        statusCode: undefined,
        error: expect.stringMatching(/^url: must /),
      });
    }
    expect(lookups).toBe(0);
    expect(sender.stats()).toEqual({ targets: 0, connections: 0 });
  });

  it('do not reach a service that listens there', async () => {
    const internal = loopback.keep(await startReceiver(loopback.certificate, undefined, { address: INTERNAL_ADDRESS }));
    const sender = loopback.openSender();
    const spellings = [
      '127.0.0.2',
      '2130706434',
      '0x7f000002',
      '0177.0.0.2',
      '127.2',
      '１２７.0.0.2',
      '[::ffff:127.0.0.2]',
      '%3127.0.0.2',
      '127.0.0.2.',
    ];
    for (const host of spellings) {
      const outcome = await sender.post(messageTo(0, { url: `https://${host}:${internal.port}/` }));
      expect(outcome, host).toMatchObject({ ok: false, statusCode: undefined });
    }
    expect(internal.connections()).toBe(0);
  });

  it('are refused when a name leads there, even beside a good address', async () => {
    const good = loopback.keep(await startReceiver(loopback.certificate));
    let answers: string[] = [];
    const sender = loopback.openSender({ resolve: async () => answers });
    for (const [what, ip] of HOSTILE_ADDRESSES) {
      if (ip === '127.0.0.1') continue;
      for (const set of [[ip], ['127.0.0.1', ip], [ip, '127.0.0.1']]) {
        answers = set;
        const outcome = await sender.post(messageTo(good.port));
        expect(outcome, what).toMatchObject({ ok: false, statusCode: undefined, error: 'address not allowed' });
      }
    }
    expect(good.connections()).toBe(0);
  });
});
