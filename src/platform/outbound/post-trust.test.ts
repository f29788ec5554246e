import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuthority, createSelfSigned } from './testing/certificates.ts';
import { createLoopback, HOST, type Loopback, messageTo } from './testing/loopback.ts';
import { startReceiver } from './testing/receiver.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ALIEN = 'tls: certificate is for another name';
const UNKNOWN = 'tls: unknown certificate authority';

let loopback: Loopback;

beforeAll(async () => {
  loopback = await createLoopback();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await loopback.closeAll();
});

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}

describe('a certificate', () => {
  it.each([
    ['for another name', () => loopback.authority.issue({ names: ['other.receiver.test'] }), ALIEN],
    ['for a wider name that does not cover it', () => loopback.authority.issue({ names: ['*.test'] }), ALIEN],
    ['for the address but not the name', () => loopback.authority.issue({ addresses: ['127.0.0.1'] }), ALIEN],
    [
      'that has expired',
      () => loopback.authority.issue({ names: [HOST], notBeforeDate: daysFromNow(-10), notAfterDate: daysFromNow(-1) }),
      'tls: certificate expired',
    ],
    [
      'that is not valid yet',
      () => loopback.authority.issue({ names: [HOST], notBeforeDate: daysFromNow(1), notAfterDate: daysFromNow(10) }),
      'tls: certificate not yet valid',
    ],
    ['signed by itself', () => createSelfSigned({ names: [HOST] }), 'tls: self-signed certificate'],
    ['of an unknown authority', async () => (await createAuthority('Unknown')).issue({ names: [HOST] }), UNKNOWN],
    [
      'of an authority that only has the same name',
      async () => (await createAuthority('Test Authority')).issue({ names: [HOST] }),
      /^tls: /,
    ],
  ])('%s is refused before a request is sent', async (_what, issue, error) => {
    const receiver = loopback.keep(await startReceiver(await issue()));
    const outcome = await loopback.openSender().post(messageTo(receiver.port));
    expect(outcome).toMatchObject({ ok: false, statusCode: undefined, error: expect.stringMatching(error) });
    expect(receiver.requests).toEqual([]);
  });

  it('for a name is refused when the URL has an address', async () => {
    const receiver = loopback.keep(await startReceiver(await loopback.authority.issue({ names: [HOST] })));
    const outcome = await loopback
      .openSender()
      .post(messageTo(receiver.port, { url: `https://127.0.0.1:${receiver.port}/` }));
    expect(outcome).toMatchObject({ ok: false, error: ALIEN });
  });

  it('with a wildcard over the name is taken', async () => {
    const receiver = loopback.keep(await startReceiver(await loopback.authority.issue({ names: ['*.receiver.test'] })));
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({ ok: true });
  });

  it('of a private authority is refused until the authority is added', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    expect(await loopback.openSender({ extraCa: undefined }).post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      error: UNKNOWN,
    });
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({ ok: true });
  });

  it('of the second authority in the added file is taken too', async () => {
    const other = await createAuthority('Second Authority');
    const receiver = loopback.keep(await startReceiver(await other.issue({ names: [HOST] })));
    const sender = loopback.openSender({ extraCa: `${loopback.authority.cert}\n${other.cert}\n` });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
  });

  it('is checked even when the environment says not to', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const receiver = loopback.keep(await startReceiver(await createSelfSigned({ names: [HOST] })));
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      error: 'tls: self-signed certificate',
    });
    expect(receiver.requests).toEqual([]);
  });

  it('is checked on every connection, not only on the first to a name', async () => {
    const good = await startReceiver(loopback.certificate);
    const sender = loopback.openSender();
    expect(await sender.post(messageTo(good.port))).toMatchObject({ ok: true });
    await good.close();
    const impostor = loopback.keep(
      await startReceiver(await loopback.authority.issue({ names: ['impostor.test'] }), undefined, { port: good.port }),
    );
    await expect.poll(() => sender.stats().connections).toBe(0);
    expect(await sender.post(messageTo(impostor.port))).toMatchObject({ ok: false, error: ALIEN });
    expect(impostor.requests).toEqual([]);
  });
});

describe('a file of authorities', () => {
  it('without a certificate in it stops the sender from being made', () => {
    expect(() => loopback.openSender({ extraCa: 'not a certificate' })).toThrow();
  });
});
