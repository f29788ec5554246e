import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { patienceMs } from '../../../test/harness/patience.ts';
import {
  type Credentials,
  MissingCredentials,
  type VendorCall,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import { createSelfSigned } from '../../platform/outbound/testing/certificates.ts';
import { HOST, INTERNAL_ADDRESS } from '../../platform/outbound/testing/loopback.ts';
import {
  type Respond,
  startRawReceiver,
  startReceiver,
  startSilentServer,
} from '../../platform/outbound/testing/receiver.ts';
import { GET, POST, SECRET, vendorCalls } from './testing/vendor-calls.ts';

const { callerTo, vendor, loopback } = vendorCalls();
/** Where a request is to arrive before its time is over: a busy machine takes its time for a handshake. */
const ARRIVES_MS = patienceMs() / 10;

describe('a call', () => {
  it('is sent below the base URL with its query, credentials and body', async () => {
    const receiver = loopback().keep(
      await startReceiver(loopback().certificate, (_request, response) =>
        response.writeHead(201).end('{"id":9007199254740993}'),
      ),
    );
    const { client } = callerTo(receiver.port, { path: '/base//' });
    expect(await client.call({ ...POST, query: { a: 'ب&c' }, headers: { 'X-Store': '7' } })).toEqual({
      status: 201,
      json: { id: '9007199254740993' },
    });
    await client.call({ method: 'POST', path: '/token', form: { grant_type: 'client credentials' } });
    expect(receiver.requests).toMatchObject([
      {
        method: 'POST',
        path: '/base/orders/7/status?a=%D8%A8%26c',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', 'x-store': '7' },
        rawBody: Buffer.from('{"slug":"delivered"}'),
      },
      {
        path: '/base/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        rawBody: Buffer.from('grant_type=client+credentials'),
      },
    ]);
  });

  it.each([
    'orders',
    '//elsewhere.test/',
    '/a/../b',
    '/a/%2e%2E/b',
    '/.',
    '/a//b',
    '/a?b=c',
    '/a#b',
    '/a\\b',
    '/a b',
    '/\n',
  ])('never goes to %j', async (path) => {
    const { receiver, client } = await vendor((_request, response) => response.end());
    await expect(client.call({ ...GET, path })).rejects.toMatchObject({ mayHaveArrived: false });
    expect(receiver.connections()).toBe(0);
  });

  it('names the missing setting', async () => {
    const { caller } = callerTo(1);
    const nowhere = { id: 'i', organizationId: 'o', settings: {}, secretOrigins: null };
    const missing = (): Credentials => ({ kind: 'missing', setting: 'access_token' });
    await expect(caller.clientFor(nowhere, { app: {} }).call(GET)).rejects.toThrow(
      new MissingCredentials('api_base_url'),
    );
    const known = caller.clientFor(nowhere, { app: { apiBaseUrl: 'https://api.example.com' }, credentials: missing });
    await expect(known.call(GET)).rejects.toThrow(new MissingCredentials('access_token'));
  });

  it.each([
    ['application/json', '{"error":"invalid_grant","error_description":"No such\\n user"}', 'No such user'],
    ['application/json', '{"error":{"code":7,"message":"Order is closed"}}', 'Order is closed'],
    ['application/json', '{"errors":[{"code":"X","detail":"Version mismatch"}]}', 'Version mismatch'],
    ['application/json', '{"detail":"Not found"}', 'Not found'],
    ['text/html', '<html><b>Denied</b> for good</html>', 'Denied for good'],
    ['text/plain', `no token like ${SECRET} is known`, 'no token like ••• is known'],
    ['text/plain', 'é'.repeat(600), 'é'.repeat(500)],
    ['text/plain', '', 'status 422'],
  ])('that is refused says why: %s %s', async (type, body, message) => {
    const { receiver, client } = await vendor((_request, response) =>
      response.writeHead(422, { 'content-type': type }).end(body),
    );
    const refusal = await client.call(GET).catch((error) => error);
    expect(refusal).toBeInstanceOf(VendorRefused);
    expect(refusal).toMatchObject({ vendorStatus: 422, message });
    expect(receiver.requests).toHaveLength(1);
  });

  it('returns no JSON for a body that is not JSON', async () => {
    const answers = ['', 'OK', '\xff', '['.repeat(100)];
    const { client } = await vendor((_request, response) => response.end(answers.shift(), 'latin1'));
    for (let count = 0; count < 4; count += 1) expect(await client.call(GET)).toEqual({ status: 200, json: undefined });
  });
});

describe('a failing vendor', () => {
  it.each([
    [500, GET, 2, true],
    [503, { ...POST, isRepeatable: true }, 2, true],
    [502, POST, 1, true],
    [408, { ...GET, isRepeatable: false }, 1, true],
    [429, POST, 2, false],
    [425, GET, 2, false],
    [302, GET, 1, true],
  ])('with %i is asked again where that is safe: %o', async (status, call, times, mayHaveArrived) => {
    const internal = loopback().keep(
      await startReceiver(loopback().certificate, undefined, { address: INTERNAL_ADDRESS }),
    );
    const { receiver, client } = await vendor((_request, response) =>
      response.writeHead(status, { location: `https://${INTERNAL_ADDRESS}:${internal.port}/` }).end(SECRET),
    );
    const trouble = await client.call(call as VendorCall).catch((error) => error);
    expect(trouble).toBeInstanceOf(VendorUnavailable);
    expect(trouble).toMatchObject({ mayHaveArrived });
    expect(trouble.message).not.toContain(SECRET);
    expect(receiver.requests).toHaveLength(times);
    expect(internal.connections()).toBe(0);
  });

  it('is called a second time, unless Retry-After exceeds the time left', async () => {
    const statuses = [503, 200, 429];
    const { receiver, client } = await vendor((_request, response) => {
      const status = statuses.shift() ?? 200;
      response.writeHead(status, status === 429 ? { 'retry-after': '60' } : {}).end('{}');
    });
    expect(await client.call(GET)).toEqual({ status: 200, json: {} });
    await expect(client.call(GET)).rejects.toThrow('status 429');
    expect(receiver.requests).toHaveLength(3);
  });

  it.each([
    ['hangs', () => {}, 'timeout'],
    ['never comes to an end', endless, 'response too large'],
    [
      'answers in a packing of a few bytes that would fill the memory',
      (_request, response) => response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1e7))),
      'status 500',
    ],
  ] satisfies [string, Respond, string][])('that %s is not called again', async (_what, respond, message) => {
    const receiver = loopback().keep(await startReceiver(loopback().certificate, respond));
    const { client } = callerTo(receiver.port, { deadlineMs: message === 'timeout' ? ARRIVES_MS : patienceMs() });
    await expect(client.call(POST)).rejects.toMatchObject({ message, mayHaveArrived: true });
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([
    ['cuts the connection after reading', undefined, 'connection closed'],
    ['cuts its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{', 'connection closed'],
    ['has headers without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 'response headers too large'],
  ])('that %s may have carried it out, and is not asked again', async (_what, answer, message) => {
    const rude = loopback().keep(
      await startRawReceiver(loopback().certificate, (socket) =>
        socket.once('data', () => (answer === undefined ? socket.destroy() : socket.end(answer))),
      ),
    );
    const { client } = callerTo(rude.port);
    await expect(client.call(POST)).rejects.toMatchObject({ message, mayHaveArrived: true });
    expect(rude.connections()).toBe(1);
  });

  it('that cannot be reached has carried out nothing', async () => {
    const wrong = loopback().keep(await startReceiver(await createSelfSigned({ names: [HOST] })));
    const silent = loopback().keep(await startSilentServer());
    await expect(callerTo(1).client.call(POST)).rejects.toMatchObject({ mayHaveArrived: false });
    await expect(callerTo(wrong.port).client.call(POST)).rejects.toMatchObject({ mayHaveArrived: false });
    await expect(callerTo(silent.port, { deadlineMs: 200 }).client.call(POST)).rejects.toMatchObject({
      mayHaveArrived: false,
    });
    expect(wrong.connections()).toBe(1);
    const internal = callerTo(1, { settings: { api_base_url: 'https://127.0.0.2/' } });
    await expect(internal.client.call(POST)).rejects.toMatchObject({ mayHaveArrived: false });
  });

  it('may have carried out the first of two attempts although the second never left', async () => {
    const once = await startRawReceiver(loopback().certificate, (socket) =>
      socket.once('data', async () => {
        socket.destroy();
        await once.close();
      }),
    );
    await expect(callerTo(once.port).client.call(GET)).rejects.toMatchObject({ mayHaveArrived: true });
    expect(once.connections()).toBe(1);
  });

  it('has the time limit of the client for all its calls together', async () => {
    const receiver = loopback().keep(await startReceiver(loopback().certificate, () => {}));
    // Of one call; the usual ten seconds are less than a starved machine is given here.
    const { caller, install } = callerTo(receiver.port, { deadlineMs: 2 * ARRIVES_MS });
    const client = caller.clientFor(install(), { app: {} }, { withinMs: ARRIVES_MS });
    await expect(client.call(POST)).rejects.toMatchObject({ mayHaveArrived: true });
    await expect(client.call(POST)).rejects.toMatchObject({ mayHaveArrived: false });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('concurrent calls', () => {
  it('are limited to eight per install; further calls wait, and beyond two hundred they are refused', async () => {
    const answers: (() => void)[] = [];
    const { receiver, caller, client } = await vendor((_request, response) => answers.push(() => response.end('{}')));
    const calls = Array.from({ length: 210 }, () =>
      client.call(POST).then(
        () => 'done',
        (error) => error.message,
      ),
    );
    await expect.poll(() => receiver.requests.length).toBe(8);
    expect(caller.stats()).toEqual({ running: 8, queued: 200 });
    expect(await Promise.all(calls.slice(208))).toEqual(Array(2).fill('too many calls at once'));
    const most = answers.length;
    while (caller.stats().running > 0) {
      for (const answer of answers.splice(0)) answer();
      await new Promise(setImmediate);
    }
    expect(most).toBe(8);
    expect(await Promise.all(calls.slice(0, 208))).toEqual(Array(208).fill('done'));
  });

  it('of a slow install do not delay another install, and stop waiting at their deadline', async () => {
    const receiver = loopback().keep(
      await startReceiver(loopback().certificate, ({ path }, response) => {
        if (path !== '/slow') response.end('{}');
      }),
    );
    const { caller, install } = callerTo(receiver.port, { deadlineMs: 2 * ARRIVES_MS });
    const slow = caller.clientFor(install('slow'), { app: {} });
    const calls = Array.from({ length: 20 }, () => slow.call({ ...POST, path: '/slow' }).catch((error) => error));
    await expect.poll(() => receiver.requests.length).toBe(8);
    expect(await caller.clientFor(install('quick'), { app: {} }).call(POST)).toMatchObject({ status: 200 });
    const ended = await Promise.all(calls);
    expect(ended.filter(({ mayHaveArrived }) => mayHaveArrived)).toHaveLength(8);
    expect(ended.filter(({ message }) => message === 'too many calls at once')).toHaveLength(12);
    expect(caller.stats()).toEqual({ running: 0, queued: 0 });
  });
});

const endless: Respond = (_request, response) => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) {}
  };
  response.on('drain', more);
  more();
};
