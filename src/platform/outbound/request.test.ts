import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutboundRequest } from './request.ts';
import { isLasting } from './request.ts';
import { createSelfSigned } from './testing/certificates.ts';
import { HOSTILE_URLS } from './testing/hostile-targets.ts';
import { createLoopback, HOST, INTERNAL_ADDRESS, type Loopback } from './testing/loopback.ts';
import { startRawReceiver, startReceiver, startSilentServer } from './testing/receiver.ts';

const MB = 1024 * 1024;

let loopback: Loopback;

beforeAll(async () => {
  loopback = await createLoopback();
});

afterEach(async () => {
  await loopback.closeAll();
});

function requestTo(port: number, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'GET',
    url: `https://${HOST}:${port}/orders/7`,
    headers: {},
    deadlineMs: 10_000,
    maxResponseBytes: 4 * MB,
    ...changes,
  };
}

describe('a request', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'goes out as %s, with a body or without',
    async (method) => {
      const receiver = loopback.keep(await startReceiver(loopback.certificate));
      const sender = loopback.openSender();
      expect(await sender.request(requestTo(receiver.port, { method }))).toMatchObject({ ok: true, statusCode: 200 });
      await sender.request(requestTo(receiver.port, { method, body: '{"a":1}', headers: { 'x-a': 'b' } }));
      expect(receiver.requests).toMatchObject([
        { method, path: '/orders/7', rawBody: Buffer.alloc(0), headers: { 'accept-encoding': 'identity' } },
        { method, rawBody: Buffer.from('{"a":1}'), headers: { 'x-a': 'b', 'content-length': '7' } },
      ]);
      expect(receiver.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
    },
  );

  it('has the whole answer, whatever pieces it came in', async () => {
    const whole = Buffer.alloc(3 * MB, 'a long list of orders ');
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, ({ path }, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'retry-after': '7' });
        if (path !== '/pieces') return response.end(whole);
        for (let at = 0; at < 2000; at += 1) response.write(whole.subarray(at, at + 1));
        response.end(whole.subarray(2000));
      }),
    );
    const sender = loopback.openSender();
    for (const path of ['/once', '/pieces']) {
      const outcome = await sender.request(
        requestTo(receiver.port, { url: `https://${HOST}:${receiver.port}${path}` }),
      );
      expect(outcome).toMatchObject({ ok: true, contentType: 'application/json', retryAfterSeconds: 7 });
      expect(outcome.body.equals(whole)).toBe(true);
    }
  });

  it('fails with an answer beyond the limit, instead of a part of it', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) {}
        };
        response.on('drain', more);
        more();
      }),
    );
    const outcome = await loopback.openSender().request(requestTo(receiver.port, { maxResponseBytes: MB }));
    expect(outcome).toMatchObject({ ok: false, statusCode: 200, error: 'response too large', mayHaveArrived: true });
    expect(outcome.body).toHaveLength(0);
    expect(isLasting(outcome)).toBe(true);
    await expect.poll(() => receiver.openConnections()).toBe(0);
  });

  it('unpacks nothing: of a compressed answer only the status counts', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MB));
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      ),
    );
    const outcome = await loopback.openSender().request(requestTo(receiver.port));
    expect(outcome).toMatchObject({ ok: true, statusCode: 200, body: Buffer.alloc(0) });
  });

  it('takes an address of up to 8,192 characters', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const sender = loopback.openSender();
    const long = (length: number) => `https://${HOST}:${receiver.port}/?cursor=`.padEnd(length, 'c');
    expect(await sender.request(requestTo(receiver.port, { url: long(8192) }))).toMatchObject({ ok: true });
    expect(await sender.request(requestTo(receiver.port, { url: long(8193) }))).toMatchObject({
      error: 'url: must not be longer than 8192 characters',
    });
  });

  it('is not redirected to an internal address', async () => {
    const internal = loopback.keep(await startReceiver(loopback.certificate, undefined, { address: INTERNAL_ADDRESS }));
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(302, { location: `https://${INTERNAL_ADDRESS}:${internal.port}/` }).end(),
      ),
    );
    const outcome = await loopback.openSender().request(requestTo(receiver.port));
    expect(outcome).toMatchObject({ ok: false, statusCode: 302, error: 'redirect not followed', mayHaveArrived: true });
    expect(internal.connections()).toBe(0);
  });

  it('never goes to a hostile address', async () => {
    const sender = loopback.openSender({ allowedNetworks: [], resolve: async () => [INTERNAL_ADDRESS] });
    for (const [trick, url] of HOSTILE_URLS) {
      if (trick === 'too long' || trick === 'too long once encoded') continue;
      const outcome = await sender.request(requestTo(0, { url }));
      expect(outcome, trick).toMatchObject({ statusCode: undefined, error: expect.stringMatching(/^url: must /) });
      expect(isLasting(outcome), trick).toBe(true);
    }
    expect(await sender.request(requestTo(443))).toMatchObject({ error: 'address not allowed', mayHaveArrived: false });
    expect(sender.stats()).toEqual({ targets: 0, connections: 0 });
  });
});

describe('whether it may have arrived', () => {
  const post = { method: 'POST', body: '{}' } as const;

  it('is no while nothing was written', async () => {
    const silent = loopback.keep(await startSilentServer());
    const wrong = await createSelfSigned({ names: [HOST] });
    const untrusted = loopback.keep(await startReceiver(wrong));
    const sender = loopback.openSender();
    const unknown = loopback.openSender({
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    const outcomes = await Promise.all([
      unknown.request(requestTo(443, post)),
      sender.request(requestTo(1, post)),
      sender.request(requestTo(untrusted.port, post)),
      sender.request(requestTo(silent.port, { ...post, deadlineMs: 200 })),
      sender.request(requestTo(silent.port, { ...post, headers: { host: 'elsewhere' } })),
    ]);
    expect(outcomes).toMatchObject([
      { error: 'dns: not found', mayHaveArrived: false },
      { error: 'connection refused', mayHaveArrived: false },
      { error: 'tls: self-signed certificate', mayHaveArrived: false },
      { error: 'timeout', mayHaveArrived: false },
      { error: 'invalid request header', mayHaveArrived: false },
    ]);
    await sender.close();
    expect(await sender.request(requestTo(1, post))).toMatchObject({ error: 'sender closed', mayHaveArrived: false });
  });

  it('is no for one that stood in line for a connection until its time was over', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate, () => {}));
    const sender = loopback.openSender({ maxSocketsPerTarget: 1 });
    const first = sender.request(requestTo(receiver.port, { ...post, deadlineMs: 4_000 }));
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect(await sender.request(requestTo(receiver.port, { ...post, deadlineMs: 100 }))).toMatchObject({
      error: 'timeout',
      mayHaveArrived: false,
    });
    expect(await first).toMatchObject({ error: 'timeout', mayHaveArrived: true });
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([
    ['reset before a byte was read', '', 'connection reset|connection closed'],
    ['closed after the request was read', 'read', 'connection reset|connection closed'],
    ['cut in the middle of the answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'connection closed'],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n', 'invalid http response'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`, 'response headers too large'],
  ])('is yes with an answer that is %s', async (_what, answer, error) => {
    const rude = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) => {
        if (answer === '') return socket.destroy();
        socket.once('data', () => (answer === 'read' ? socket.destroy() : socket.end(answer)));
      }),
    );
    const outcome = await loopback.openSender().request(requestTo(rude.port, post));
    expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(error) });
    // A reset may overtake the writing: then nothing has left.
    if (answer !== '') expect(outcome.mayHaveArrived).toBe(true);
    expect(outcome.body).toHaveLength(0);
    expect(rude.connections()).toBe(1);
  });
});
