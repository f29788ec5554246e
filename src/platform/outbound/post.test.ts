import net from 'node:net';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseNetworks } from './address-policy.ts';
import { createLoopback, HOST, INTERNAL_ADDRESS, type Loopback, messageTo } from './testing/loopback.ts';
import { listen, startRawReceiver, startReceiver } from './testing/receiver.ts';

let loopback: Loopback;

beforeAll(async () => {
  loopback = await createLoopback();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await loopback.closeAll();
});

describe('a delivery', () => {
  it('arrives byte for byte with its headers', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const body = Buffer.from('{"name":"متجر","raw":"\\u0000"}\n');
    const outcome = await loopback.openSender().post(
      messageTo(receiver.port, {
        url: `https://${HOST}:${receiver.port}/in/متجر?a=b#part`,
        headers: { 'x-id': 'evt_1' },
        body,
      }),
    );
    expect(outcome).toEqual({
      ok: true,
      statusCode: 200,
      error: undefined,
      durationMs: expect.any(Number),
      responseExcerpt: 'ok',
    });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/in/%D9%85%D8%AA%D8%AC%D8%B1?a=b', rawBody: body });
    expect(request?.headers).toMatchObject({
      host: `${HOST}:${receiver.port}`,
      'x-id': 'evt_1',
      'accept-encoding': 'identity',
      'content-length': String(body.length),
    });
  });

  it('goes to an address without a lookup', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const sender = loopback.openSender({ resolve: () => Promise.reject(new Error('the resolver must not be asked')) });
    const outcome = await sender.post(messageTo(receiver.port, { url: `https://127.0.0.1:${receiver.port}/` }));
    expect(outcome).toMatchObject({ ok: true, statusCode: 200 });
  });

  it('goes to an IPv6 address', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate, undefined, { address: '::1' }));
    const sender = loopback.openSender({ allowedNetworks: parseNetworks('::1') });
    const outcome = await sender.post(messageTo(receiver.port, { url: `https://[::1]:${receiver.port}/` }));
    expect(outcome).toMatchObject({ ok: true });
    expect(receiver.requests[0]?.headers.host).toBe(`[::1]:${receiver.port}`);
  });

  it.each([200, 201, 202, 204, 299])('counts with %i', async (status) => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => response.writeHead(status).end()),
    );
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({
      ok: true,
      statusCode: status,
      error: undefined,
    });
  });

  it.each([304, 400, 401, 404, 410, 429, 500, 503])('does not count with %i', async (status) => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => response.writeHead(status).end()),
    );
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      statusCode: status,
      error: undefined,
    });
  });

  it('reports how long to wait, by the clock it was given', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(503, { 'retry-after': 'Sun, 01 Mar 2026 12:01:30 GMT' }).end('busy\0'),
      ),
    );
    const sender = loopback.openSender({ now: () => new Date('2026-03-01T12:00:00Z') });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      statusCode: 503,
      responseExcerpt: 'busy',
      retryAfterSeconds: 90,
    });
  });

  it('ignores a proxy in the environment', async () => {
    const proxy = loopback.keep(await listen(net.createServer(), {}));
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY']) {
      vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`);
    }
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect(proxy.connections()).toBe(0);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with %i to an internal address is not followed', async (status) => {
    const internal = loopback.keep(await startReceiver(loopback.certificate, undefined, { address: INTERNAL_ADDRESS }));
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(status, { location: `https://127.0.0.2:${internal.port}/secret` }).end('moved'),
      ),
    );
    const outcome = await loopback.openSender().post(messageTo(receiver.port));
    expect(outcome).toMatchObject({
      ok: false,
      statusCode: status,
      error: 'redirect not followed',
      responseExcerpt: 'moved',
    });
    expect(receiver.requests).toHaveLength(1);
    expect(internal.connections()).toBe(0);
  });

  it('to itself is not followed either', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(307, { location: '/elsewhere' }).end(),
      ),
    );
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({ ok: false, statusCode: 307 });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/in']);
  });
});

describe('headers', () => {
  it.each([
    ['a line break in a value', { 'x-a': 'b\r\nhost: internal' }],
    ['a bare line feed in a value', { 'x-a': 'b\nc' }],
    ['a NUL in a value', { 'x-a': 'b\0' }],
    ['a character beyond Latin-1', { 'x-a': 'متجر' }],
    ['a line break in a name', { 'x-a\r\nx-b': 'c' }],
    ['a space in a name', { 'x a': 'b' }],
    ['an empty name', { '': 'b' }],
    ['host', { Host: 'internal' }],
    ['content-length', { 'content-length': '0' }],
    ['transfer-encoding', { 'Transfer-Encoding': 'chunked' }],
    ['connection', { connection: 'close' }],
    ['expect', { expect: '100-continue' }],
  ])('with %s are refused before anything is sent', async (_what, headers) => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    expect(await loopback.openSender().post(messageTo(receiver.port, { headers }))).toMatchObject({
      ok: false,
      error: 'invalid request header',
    });
    expect(receiver.connections()).toBe(0);
  });
});

describe('a failing receiver', () => {
  it('that is not there is "connection refused"', async () => {
    const gone = await startReceiver(loopback.certificate);
    await gone.close();
    expect(await loopback.openSender().post(messageTo(gone.port))).toMatchObject({
      ok: false,
      statusCode: undefined,
      error: 'connection refused',
    });
  });

  it('that resets the connection is reported, and asked once only', async () => {
    let asked = 0;
    const receiver = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) =>
        socket.once('data', () => {
          asked += 1;
          socket.destroy();
        }),
      ),
    );
    const outcome = await loopback.openSender().post(messageTo(receiver.port));
    expect(outcome).toMatchObject({
      ok: false,
      statusCode: undefined,
      error: expect.stringMatching(/^connection (closed|reset)$/),
    });
    expect(asked).toBe(1);
  });

  it('that ends in the middle of its body is not a delivery', async () => {
    const receiver = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort')),
      ),
    );
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      statusCode: 200,
      error: 'connection closed',
    });
  });

  it('that does not speak HTTP is reported', async () => {
    const receiver = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) =>
        socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')),
      ),
    );
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      statusCode: undefined,
      error: 'invalid http response',
    });
  });

  it('that answers without TLS is reported', async () => {
    const plain = loopback.keep(
      await listen(
        net.createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
        {},
      ),
    );
    expect(await loopback.openSender().post(messageTo(plain.port))).toMatchObject({
      ok: false,
      statusCode: undefined,
      error: 'tls: handshake failed',
    });
  });

  it('that sends endless headers is cut', async () => {
    const receiver = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) =>
        socket.once('data', () =>
          socket.write(`HTTP/1.1 200 OK\r\n${`x-pad: ${'a'.repeat(1000)}\r\n`.repeat(40)}\r\n`),
        ),
      ),
    );
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      error: 'response headers too large',
    });
    await expect.poll(() => receiver.openConnections()).toBe(0);
  });
});

describe('a long response', () => {
  it('counts by its status once 16 kB of it are read, and loses its connection', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => {
        const pour = () => response.write('y'.repeat(8192));
        response.on('drain', pour);
        pour();
        pour();
        pour();
      }),
    );
    const outcome = await loopback.openSender().post(messageTo(receiver.port));
    expect(outcome).toMatchObject({ ok: true, statusCode: 200, error: undefined, responseExcerpt: 'y'.repeat(1024) });
    await expect.poll(() => receiver.openConnections()).toBe(0);
  });

  it('of exactly 16 kB is read whole and keeps its connection', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => response.end('z'.repeat(16 * 1024))),
    );
    const sender = loopback.openSender({ maxSocketsPerTarget: 1 });
    await sender.post(messageTo(receiver.port));
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect(receiver.connections()).toBe(1);
  });

  it('with a failing status stays a failure', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(500).end('x'.repeat(40_000)),
      ),
    );
    expect(await loopback.openSender().post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      statusCode: 500,
      error: undefined,
    });
  });
});
