import { once } from 'node:events';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAnswer } from '../../../test/harness/index.ts';
import { json, open, POLL_OPTIONS } from './testing/open-server.ts';

describe('a request without a body', () => {
  const head = (path: string, type: string, more = '') => `POST ${path} HTTP/1.1\r\nhost: x\r\n${type}\r\n${more}\r\n`;
  const asJson = 'content-type: application/json';

  it.each([
    ['with a content type and no length, as curl -X POST sends it', head('/no-body', asJson), 'none'],
    ['with a content type and length 0', head('/no-body', asJson, 'content-length: 0\r\n'), 'none'],
    [
      'with a content type and no chunk',
      `${head('/no-body', asJson, 'transfer-encoding: chunked\r\n')}0\r\n\r\n`,
      'none',
    ],
    ['that a handler reads as bytes', head('/raw', 'content-type: text/xml'), '0 bytes'],
    ['as a form', head('/form', 'content-type: multipart/form-data; boundary=b'), 'read'],
  ])('%s is answered', async (_what, request, body) => {
    const { send } = await open({ bodyLimits: { checkEveryMs: 10, firstBytesWithinMs: 50 } });
    expect(await readAnswer(await send(request))).toMatchObject({ status: 200, body });
  });
});

it.each([
  ['a request that is not HTTP', 'nonsense\r\n\r\n', 400, 'Malformed request'],
  ['a request without Host', 'GET /ping HTTP/1.1\r\n\r\n', 400, 'Malformed request'],
  ['a request for two hosts', 'GET /ping HTTP/1.1\r\nhost: x\r\nHOST: y\r\n\r\n', 400, 'Malformed request'],
  [
    'headers that are too large',
    `GET /ping HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(70_000)}\r\n\r\n`,
    431,
    'Request headers too large',
  ],
  ['an unknown Expect', 'GET /ping HTTP/1.1\r\nhost: x\r\nexpect: more\r\n\r\n', 417, 'Expectation failed'],
])('the answer to %s has a request id and the body of every refusal', async (_what, request, status, error) => {
  const { send } = await open();
  const answer = await readAnswer(await send(request));
  expect(answer.status).toBe(status);
  expect(answer.head).toMatch(/^x-request-id: \S+/im);
  expect(JSON.parse(answer.body)).toMatchObject({ code: status, error });
});

it('a client that leaves before the first byte of a download is no error in the log', async () => {
  const lines: string[] = [];
  const { send, app, inFlight } = await open({
    log: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
  });
  const asked = once(app.server, 'request');
  const socket = await send('GET /stream HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = await asked;
  await turnOfTheLoop();
  socket.destroy();
  await expect.poll(() => [response.closed, inFlight()], POLL_OPTIONS).toEqual([true, 0]);
  await turnOfTheLoop();
  expect(lines).toEqual([]);
});

it.each([
  ['a wrong content type', 'text/plain', 'x'],
  ['malformed JSON', 'application/json', '{'],
])('an unknown path is 404 also with %s', async (_what, type, body) => {
  const { baseUrl } = await open();
  const answer = await fetch(`${baseUrl}/api/v1/nowhere`, { method: 'POST', headers: { 'content-type': type }, body });
  expect(answer.status).toBe(404);
});

describe('a slow request body', () => {
  const strict = { checkEveryMs: 10, firstBytesWithinMs: 50, graceMs: 150 };

  it('returns 408 when no byte arrives, and when it stalls', async () => {
    const { send } = await open({ bodyLimits: strict });
    for (const socket of [await send(json('/echo', 100)), await send(`${json('/echo', 100)}[1,`)]) {
      const answer = await readAnswer(socket);
      expect(answer.status).toBe(408);
      expect(answer.head).toMatch(/connection: close/i);
      expect(JSON.parse(answer.body)).toEqual({
        code: 408,
        error: 'Request timeout',
        details: 'The request body came too slowly',
      });
    }
  });

  it('returns 408 when bytes arrive below the minimum speed', async () => {
    const { send } = await open({ bodyLimits: strict });
    const socket = await send(`${json('/echo', 1000)}[`);
    const drip = setInterval(() => socket.write(' '), 10);
    onTestFinished(() => clearInterval(drip));
    expect((await readAnswer(socket)).status).toBe(408);
  });

  it('is accepted at the minimum speed for longer than the grace period', async () => {
    const { send } = await open({ bodyLimits: { ...strict, minBytesPerSecond: 100 } });
    const length = 600;
    const socket = await send(`${json('/echo', length)}[`);
    const answered = readAnswer(socket);
    const startedMs = performance.now();
    let sent = 1;
    const steady = setInterval(() => {
      const due = Math.floor(performance.now() - startedMs) - sent;
      const more = Math.min(length - 2 - sent, due);
      if (more > 0) socket.write(' '.repeat(more));
      sent += Math.max(0, more);
      if (sent < length - 2) return;
      clearInterval(steady);
      socket.write('1]');
    }, 5);
    onTestFinished(() => clearInterval(steady));
    expect((await answered).status).toBe(200);
  });

  it('returns 408 while a form is being read', async () => {
    const { send } = await open({ bodyLimits: strict });
    const head =
      'POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 5000';
    const socket = await send(`${head}\r\n\r\n--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx`);
    expect((await readAnswer(socket)).status).toBe(408);
    await once(socket, 'close');
  });

  it('returns 408 when the headers are incomplete after their time limit', async () => {
    const { send, connect } = await open({ headersWithinMs: 100 });
    for (const socket of [await connect(), await send('GET /ping HTTP/1.1\r\nhost:')]) {
      const answer = await readAnswer(socket);
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([408, 'Request timeout']);
    }
  });
});

describe('bodies being received', () => {
  it('are not in progress, and count by the bytes received', async () => {
    const MB = 1024 * 1024;
    const { send, ping, inFlight } = await open({
      maxInFlightRequests: 2,
      bodyLimits: { tenants: { bodies: 100, bytes: 4 * MB } },
    });
    const tenant = (name: string) => `x-tenant: ${name}\r\n`;
    const large = `[${' '.repeat(1.5 * MB)}`;
    const held = [];
    for (const name of ['a', 'b', 'c']) held.push(await send(json('/echo', 2 * MB, tenant(name)) + large));
    // 4.5 MB exceed the limit of 4, so one of the three is refused.
    const refused = await Promise.race(held.map((socket) => readAnswer(socket)));
    expect([refused.status, JSON.parse(refused.body).details]).toEqual([
      503,
      'Too many request bodies are being received',
    ]);
    expect(refused.head).toMatch(/retry-after: 1/i);
    expect(inFlight()).toBe(0);
    expect(await ping()).toBe(200);
    // Bodies of unauthenticated clients count against another limit.
    expect((await readAnswer(await send(`${json('/echo', 3)}[1]`))).status).toBe(200);
  });

  it('of one tenant get at most half of the limits for bodies and bytes', async () => {
    const { send, untilAsked } = await open({ bodyLimits: { tenants: { bodies: 4, bytes: 4000 } } });
    const of = (name: string, length: number) => json('/echo', length, `x-tenant: ${name}\r\n`);
    expect((await readAnswer(await send(of('a', 2001)))).status).toBe(429);
    const held = [await send(`${of('a', 10)}[`), await send(`${of('a', 10)}[`)];
    await untilAsked(3);
    const third = async () => (await readAnswer(await send(`${of('a', 3)}[1]`))).status;
    expect(await third()).toBe(429);
    expect((await readAnswer(await send(`${of('b', 3)}[1]`))).status).toBe(200);
    for (const socket of held) socket.write('1       ]');
    for (const socket of held) expect((await readAnswer(socket)).status).toBe(200);
    await expect.poll(third, POLL_OPTIONS).toBe(200);
  });

  it('release their bytes when the client disconnects', async () => {
    const { send, connect } = await open({ bodyLimits: { tenants: { bodies: 2, bytes: 100_000 } } });
    for (let round = 0; round < 20; round += 1) {
      const socket = await send(`${json('/echo', 40_000, 'x-tenant: a\r\n')}${' '.repeat(39_000)}`);
      await turnOfTheLoop();
      socket.destroy();
    }
    const whole = `${json('/echo', 40_000, 'x-tenant: a\r\n')}[${' '.repeat(39_998)}]`;
    const again = async () => {
      const socket = await connect();
      socket.write(whole);
      return (await readAnswer(socket)).status;
    };
    await expect.poll(again, POLL_OPTIONS).toBe(200);
  });

  it('are assembled from chunks of any size', async () => {
    const { send } = await open();
    const text = JSON.stringify({ name: 'صيدلية '.repeat(4000) });
    const socket = await send(json('/echo', Buffer.byteLength(text)));
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += 1777) {
      socket.write(bytes.subarray(from, from + 1777));
      await turnOfTheLoop();
    }
    const answer = await readAnswer(socket);
    expect([answer.status, answer.body]).toEqual([200, String(text.length)]);
  });
});

describe('an unread response', () => {
  /** It also ends a connection on which nothing has been asked yet, so a busy machine must come to the asking within it. */
  const unreadAnswerMs = 2_000;

  it('is not in progress, and is abandoned after the time limit', async () => {
    const { app, send, inFlight } = await open({ unreadAnswerMs });
    const socket = await send('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    const open_ = () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
    await once(socket, 'readable');
    expect(inFlight()).toBe(0);
    await expect.poll(open_, POLL_OPTIONS).toBe(0);
  });

  it('a slow handler is not affected by the limit for unread responses', async () => {
    const { send, gate, app } = await open({ unreadAnswerMs });
    const timedOut = Promise.withResolvers<void>();
    app.server.once('request', ({ socket }) => socket.once('timeout', () => setImmediate(timedOut.resolve)));
    const socket = await send('GET /hold HTTP/1.1\r\nhost: x\r\n\r\n');
    const answered = readAnswer(socket);
    await timedOut.promise;
    gate.resolve();
    expect((await answered).status).toBe(200);
  });
});
