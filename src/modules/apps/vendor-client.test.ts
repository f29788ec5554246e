import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AppSettings,
  type Credentials,
  MissingCredentials,
  type VendorCall,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import { movableClock } from '../../platform/clock.ts';
import { createSelfSigned } from '../../platform/outbound/testing/certificates.ts';
import { createLoopback, HOST, INTERNAL_ADDRESS, type Loopback } from '../../platform/outbound/testing/loopback.ts';
import {
  type Respond,
  startRawReceiver,
  startReceiver,
  startSilentServer,
} from '../../platform/outbound/testing/receiver.ts';
import { createVendorCaller, type VendorCallerOptions } from './vendor-client.ts';

const GET: VendorCall = { method: 'GET', path: '/orders/7' };
const POST: VendorCall = { method: 'POST', path: '/orders/7/status', json: { slug: 'delivered' } };
const SECRET = 'sk_live_very_secret';

let loopback: Loopback;

beforeAll(async () => {
  loopback = await createLoopback();
});

afterEach(async () => {
  await loopback.closeAll();
});

const clock = movableClock(new Date('2026-11-15T12:00:00Z'));

function callerTo(
  port: number,
  options: Partial<VendorCallerOptions> & { settings?: AppSettings; path?: string } = {},
) {
  const { settings = {}, path = '', ...rest } = options;
  const caller = createVendorCaller({ sender: loopback.openSender(), clock, ...rest });
  const at = { api_base_url: `https://${HOST}:${port}${path}`, ...settings };
  const install = (id = 'i1', organizationId = 'o1', more: AppSettings = {}) => ({
    id,
    organizationId,
    settings: { ...at, ...more },
  });
  const bearer = (): Credentials => ({ kind: 'headers', headers: { authorization: `Bearer ${SECRET}` } });
  return { caller, install, client: caller.clientFor(install(), { app: {}, credentials: bearer }) };
}

async function vendor(respond: Respond) {
  const receiver = loopback.keep(await startReceiver(loopback.certificate, respond));
  return { receiver, ...callerTo(receiver.port) };
}

describe('a call', () => {
  it('goes below the base with its query, its credentials and its body', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
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

  it('says which setting is not there', async () => {
    const { caller } = callerTo(1);
    const nowhere = { id: 'i', organizationId: 'o', settings: {} };
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

  it('reads no JSON out of what is none', async () => {
    const answers = ['', 'OK', '\xff', '['.repeat(100)];
    const { client } = await vendor((_request, response) => response.end(answers.shift(), 'latin1'));
    for (let count = 0; count < 4; count += 1) expect(await client.call(GET)).toEqual({ status: 200, json: undefined });
  });
});

describe('a vendor in trouble', () => {
  it.each([
    [500, GET, 2, true],
    [503, { ...POST, isRepeatable: true }, 2, true],
    [502, POST, 1, true],
    [408, { ...GET, isRepeatable: false }, 1, true],
    [429, POST, 2, false],
    [425, GET, 2, false],
    [302, GET, 1, true],
  ])('with %i is asked again where that is safe: %o', async (status, call, times, mayHaveArrived) => {
    const internal = loopback.keep(await startReceiver(loopback.certificate, undefined, { address: INTERNAL_ADDRESS }));
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

  it('has another chance, but not when it asks for more time than there is', async () => {
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
  ] satisfies [string, Respond, string][])('that %s is given up', async (_what, respond, message) => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate, respond));
    const { client } = callerTo(receiver.port, { deadlineMs: message === 'timeout' ? 500 : 10_000 });
    await expect(client.call(POST)).rejects.toMatchObject({ message, mayHaveArrived: true });
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([
    ['cuts the connection after reading', undefined, 'connection closed'],
    ['cuts its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{', 'connection closed'],
    ['has headers without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 'response headers too large'],
  ])('that %s may have carried it out, and is not asked again', async (_what, answer, message) => {
    const rude = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) =>
        socket.once('data', () => (answer === undefined ? socket.destroy() : socket.end(answer))),
      ),
    );
    const { client } = callerTo(rude.port);
    await expect(client.call(POST)).rejects.toMatchObject({ message, mayHaveArrived: true });
    expect(rude.connections()).toBe(1);
  });

  it('that cannot be reached has carried nothing out', async () => {
    const wrong = loopback.keep(await startReceiver(await createSelfSigned({ names: [HOST] })));
    const silent = loopback.keep(await startSilentServer());
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
    const once = await startRawReceiver(loopback.certificate, (socket) =>
      socket.once('data', async () => {
        socket.destroy();
        await once.close();
      }),
    );
    await expect(callerTo(once.port).client.call(GET)).rejects.toMatchObject({ mayHaveArrived: true });
    expect(once.connections()).toBe(1);
  });

  it('has as long for all calls of a client as the client was given', async () => {
    const { receiver, caller, install } = await vendor(() => {});
    const client = caller.clientFor(install(), { app: {} }, { withinMs: 300 });
    await expect(client.call(POST)).rejects.toMatchObject({ mayHaveArrived: true });
    await expect(client.call(POST)).rejects.toMatchObject({ mayHaveArrived: false });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a token', () => {
  /** Gives out t1, t2, and so on, and takes those of `good`. */
  async function tokenVendor(livesForSeconds = 3600) {
    let given = 0;
    const good = new Set<string>();
    const { receiver, caller, install } = await vendor(({ path, headers }, response) => {
      if (path === '/token') {
        given += 1;
        good.add(`t${given}`);
        return response.end(JSON.stringify({ access_token: `t${given}` }));
      }
      const isGood = good.has(headers.authorization ?? '');
      return response.writeHead(isGood ? 200 : 401).end('{"message":"no"}');
    });
    const credentials = ({ client_secret = 's' }: AppSettings): Credentials => ({
      kind: 'token',
      request: { method: 'POST', path: '/token', form: { client_secret } },
      read: ({ json }) => ({
        headers: { authorization: (json as { access_token: string }).access_token },
        livesForSeconds,
      }),
    });
    const clientOf = (more?: AppSettings, id?: string) =>
      caller.clientFor(install(id, 'o1', more), { app: {}, credentials });
    return { receiver, good, clientOf, fetched: () => given };
  }

  it('is fetched once for fifty callers, and kept until a minute before its end', async () => {
    const { receiver, clientOf, fetched } = await tokenVendor();
    await Promise.all(Array.from({ length: 50 }, () => clientOf().call(POST)));
    expect(fetched()).toBe(1);
    expect(receiver.requests).toHaveLength(51);
    clock.advanceMs(3539_000);
    await clientOf().call(POST);
    expect(fetched()).toBe(1);
    clock.advanceMs(2000);
    await clientOf().call(POST);
    expect(fetched()).toBe(2);
  });

  it('is kept for a day at most', async () => {
    const { clientOf, fetched } = await tokenVendor(1e9);
    await clientOf().call(GET);
    clock.advanceMs(86_399_000);
    await clientOf().call(GET);
    clock.advanceMs(2000);
    await clientOf().call(GET);
    expect(fetched()).toBe(2);
  });

  it('belongs to one install and one secret', async () => {
    const { clientOf, fetched } = await tokenVendor();
    for (const client of [clientOf(), clientOf({ client_secret: 'new' }), clientOf({}, 'i2'), clientOf()])
      await client.call(GET);
    expect(fetched()).toBe(3);
  });

  it('that the vendor no longer takes is fetched anew, once for all', async () => {
    const { good, clientOf, fetched } = await tokenVendor();
    await clientOf().call(POST);
    good.clear();
    await Promise.all(Array.from({ length: 20 }, () => clientOf().call(POST)));
    expect(fetched()).toBe(2);
  });

  it('that does not help even when it is new is a refusal', async () => {
    const { receiver, caller, install } = await vendor(({ path }, response) =>
      path === '/token' ? response.end('{}') : response.writeHead(401).end(`{"message":"bad ${SECRET}"}`),
    );
    const read = () => ({ headers: { authorization: `Bearer ${SECRET}` }, livesForSeconds: 3600 });
    const credentials = (): Credentials => ({ kind: 'token', request: { method: 'POST', path: '/token' }, read });
    await expect(caller.clientFor(install(), { app: {}, credentials }).call(POST)).rejects.toMatchObject({
      vendorStatus: 401,
      message: 'bad •••',
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/token', POST.path, '/token', POST.path]);
  });

  it('that does not come is waited for no longer than the call may take, and is there for the next', async () => {
    const answers: (() => void)[] = [];
    const { caller, install, receiver } = await vendor(({ path }, response) => {
      if (path === '/token') answers.push(() => response.end('{}'));
      else response.end('{}');
    });
    const read = () => ({ headers: {}, livesForSeconds: 3600 });
    const credentials = (): Credentials => ({ kind: 'token', request: { method: 'POST', path: '/token' }, read });
    const hurried = caller.clientFor(install(), { app: {}, credentials }, { withinMs: 300 });
    await expect(hurried.call(POST)).rejects.toMatchObject({ message: 'token: timeout', mayHaveArrived: false });
    const next = caller.clientFor(install(), { app: {}, credentials }).call(POST);
    for (const answer of answers) answer();
    expect(await next).toMatchObject({ status: 200 });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/token', POST.path]);
  });

  it('that lives for a minute is used for half of it', async () => {
    const { clientOf, fetched } = await tokenVendor(60);
    await clientOf().call(GET);
    clock.advanceMs(29_000);
    await clientOf().call(GET);
    expect(fetched()).toBe(1);
    clock.advanceMs(2000);
    await clientOf().call(GET);
    expect(fetched()).toBe(2);
  });

  it('that cannot be had leaves the call unmade', async () => {
    const { receiver, caller, install } = await vendor(({ path }, response) =>
      response.writeHead(path === '/refused' ? 400 : path === '/down' ? 500 : 200).end('{"error":"invalid_client"}'),
    );
    const callBy = (path: string) => {
      const read = () => {
        throw new Error('none');
      };
      const credentials = (): Credentials => ({ kind: 'token', request: { method: 'POST', path }, read });
      return caller.clientFor(install(), { app: {}, credentials }).call(POST);
    };
    await expect(callBy('/refused')).rejects.toMatchObject({ vendorStatus: 400, message: 'invalid_client' });
    await expect(callBy('/down')).rejects.toMatchObject({ message: 'token: status 500', mayHaveArrived: false });
    await expect(callBy('/odd')).rejects.toMatchObject({
      message: 'token: the answer has none',
      mayHaveArrived: false,
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/refused', '/down', '/down', '/odd']);
  });
});

describe('many calls at once', () => {
  it('are eight for an install; the rest wait, and beyond two hundred are turned away', async () => {
    const answers: (() => void)[] = [];
    const { receiver, caller, client } = await vendor((_request, response) => answers.push(() => response.end('{}')));
    const calls = Array.from({ length: 210 }, () =>
      client.call(POST).then(
        () => 'done',
        (error) => error.message,
      ),
    );
    await expect.poll(() => receiver.requests.length).toBe(8);
    expect(caller.stats()).toEqual({ running: 8, waiting: 200 });
    expect(await Promise.all(calls.slice(208))).toEqual(Array(2).fill('too many calls at once'));
    const most = answers.length;
    while (caller.stats().running > 0) {
      for (const answer of answers.splice(0)) answer();
      await new Promise(setImmediate);
    }
    expect(most).toBe(8);
    expect(await Promise.all(calls.slice(0, 208))).toEqual(Array(208).fill('done'));
  });

  it('of a slow install do not hold up another, and leave the line when their time is over', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, ({ path }, response) => {
        if (path !== '/slow') response.end('{}');
      }),
    );
    const { caller, install } = callerTo(receiver.port, { deadlineMs: 2000 });
    const slow = caller.clientFor(install('slow'), { app: {} });
    const calls = Array.from({ length: 20 }, () => slow.call({ ...POST, path: '/slow' }).catch((error) => error));
    await expect.poll(() => receiver.requests.length).toBe(8);
    expect(await caller.clientFor(install('quick'), { app: {} }).call(POST)).toMatchObject({ status: 200 });
    const ended = await Promise.all(calls);
    expect(ended.filter(({ mayHaveArrived }) => mayHaveArrived)).toHaveLength(8);
    expect(ended.filter(({ message }) => message === 'too many calls at once')).toHaveLength(12);
    expect(caller.stats()).toEqual({ running: 0, waiting: 0 });
  });
});

const endless: Respond = (_request, response) => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) {}
  };
  response.on('drain', more);
  more();
};
