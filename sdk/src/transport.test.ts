import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { patienceMs } from '../../test/harness/patience.ts';
import { createDukkan, type DukkanError, rawBodyOf } from './index.ts';

type Turn = (request: IncomingMessage, response: ServerResponse) => void;
let turns: Turn[] = [];
let asked: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
const server = createServer((request, response) => {
  asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
  request.resume();
  request.once('end', () => (turns.shift() ?? answer(200, {}))(request, response));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  turns = [];
  asked = [];
});

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Turn =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const refuse = (status: number, headers?: Record<string, string>) =>
  answer(status, { code: status, error: 'Refused', details: {} }, headers);
const cut: Turn = (request) => request.socket.destroy();
const cutHalfway: Turn = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"data"', () => response.destroy());
};

const delays: number[] = [];
const dukkan = createDukkan({
  baseUrl,
  token: 'svc_test',
  organizationId: 'org-1',
  headers: { 'user-agent': 'tests' },
  onRetry: (_error, delayMs) => delays.push(delayMs),
});
const brand = { body: { name_en: 'Nadec', name_ar: 'نادك' } };

describe('a repeat', () => {
  test('retries a read after a refused connection, half an answer or a server error', async () => {
    turns = [cut, cutHalfway, refuse(503), answer(200, { data: [], count: 0 })];
    expect(await dukkan.call('listApps')).toEqual({ data: [], count: 0 });
    expect(asked).toHaveLength(4);
  });

  test('of a create has the key of the first attempt', async () => {
    turns = [cut, refuse(502), answer(201, { success: true })];
    await dukkan.call('createBrand', brand);
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    await dukkan.call('createBrand', brand);
    expect(asked[3]?.headers['idempotency-key']).not.toBe(keys[0]);
  });

  test('never follows a write that takes no key', async () => {
    turns = [cut];
    await expect(dukkan.call('deleteBrand', { path: { id: 'b' } })).rejects.toMatchObject({ status: 0 });
    turns = [refuse(503)];
    await expect(dukkan.call('updateOrganization', { body: {} })).rejects.toMatchObject({ status: 503 });
    expect(asked).toHaveLength(2);
    // A key of the caller's does not make it safe: the service does not read it there.
    turns = [cut];
    const deleting = dukkan.call('deleteBrand', { path: { id: 'b' }, idempotencyKey: 'mine' });
    await expect(deleting).rejects.toMatchObject({ status: 0 });
    expect(asked).toHaveLength(3);
    expect(asked[2]?.headers['idempotency-key']).toBeUndefined();
  });

  test('waits as long as the service asks for, and not for minutes', async () => {
    delays.length = 0;
    turns = [refuse(429, { 'retry-after': '1' }), answer(200, {})];
    await dukkan.call('updateOrganization', { body: {} });
    expect(delays).toEqual([1000]);
    turns = [refuse(429, { 'retry-after': '3600' })];
    await expect(dukkan.call('listApps')).rejects.toMatchObject({ status: 429, retryAfter: 3600 });
    expect(asked).toHaveLength(3);
  });

  test('of a conflict only where the service says that it passes', async () => {
    turns = [refuse(409, { 'x-error-reason': 'being-changed' }), answer(200, {})];
    await dukkan.call('cancelPaylink', { path: { id: 'tabby', paylinkId: 'p' } });
    turns = [refuse(409, { 'x-error-reason': 'duplicate-barcode' })];
    await expect(dukkan.call('createBrand', brand)).rejects.toMatchObject({ reason: 'duplicate-barcode' });
    expect(asked).toHaveLength(3);
  });

  test('has an end', async () => {
    turns = Array(9).fill(refuse(503));
    await expect(dukkan.call('listApps', { retries: 2 })).rejects.toMatchObject({ status: 503 });
    expect(asked).toHaveLength(3);
  });
});

test('what goes with every request', async () => {
  await dukkan.call('listOrders', { query: { limit: 5, search: 'أحمد & co', status: undefined }, headers: { a: 'b' } });
  await dukkan.call('logOut');
  expect(asked[0]).toMatchObject({
    url: '/api/v1/orders?limit=5&search=%D8%A3%D8%AD%D9%85%D8%AF+%26+co',
    headers: {
      authorization: 'Bearer svc_test',
      'x-organization-id': 'org-1',
      prefer: 'handling=strict',
      'user-agent': 'tests',
      a: 'b',
    },
  });
  // Where an organization is none of the operation's business it is not named.
  expect(asked[1]?.headers['x-organization-id']).toBeUndefined();
});

test('a form goes out as a form, a table as CSV', async () => {
  const form = new FormData();
  form.set('iv_id', 'B-1');
  await dukkan.call('createBranch', { body: form });
  await dukkan.send({ method: 'POST', path: '/anything', body: 'a,b\n' });
  expect(asked.map(({ headers }) => headers['content-type']?.split(';')[0])).toEqual([
    'multipart/form-data',
    'text/csv',
  ]);
});

test('ends a wait at its deadline and when the caller aborts', async () => {
  turns = [() => undefined];
  const late = await dukkan
    .call('listApps', { timeoutMs: patienceMs() / 30, retries: 0 })
    .catch((error) => error as DukkanError);
  expect(late).toMatchObject({ status: 0, reason: 'timeout', message: 'No answer in time' });
  turns = [() => undefined];
  const leaving = new AbortController();
  const asking = dukkan.call('listApps', { signal: leaving.signal });
  await expect.poll(() => asked.length).toBe(2);
  leaving.abort(new Error('gone'));
  await expect(asking).rejects.toThrow('gone');
  turns = [refuse(503, { 'retry-after': '50' })];
  const patient = new AbortController();
  const waiting = createDukkan({ baseUrl, onRetry: () => patient.abort(new Error('enough')) });
  await expect(waiting.call('ping', { signal: patient.signal })).rejects.toThrow('enough');
});

test('an answer that is no answer of the service is said to be none', async () => {
  turns = [(_request, response) => response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Proxy</h1>')];
  await expect(dukkan.call('listApps')).rejects.toMatchObject({ message: 'HTTP 403', reason: 'http-403' });
  turns = [(_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"da')];
  await expect(dukkan.call('listApps')).rejects.toMatchObject({ reason: 'unreadable-answer' });
  turns = [answer(400, { data: null, message: 'name is required', status: 400 })];
  await expect(dukkan.call('createLead', { body: { name: '', email: '' } })).rejects.toThrow('name is required');
  turns = [(_request, response) => response.writeHead(302, { location: 'http://elsewhere.example' }).end()];
  await expect(dukkan.call('listApps', { retries: 0 })).rejects.toMatchObject({ status: 0 });
});

test('a page of a proxy is neither an answer nor an empty list', async () => {
  const proxy: Turn = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
  turns = [proxy];
  await expect(dukkan.call('listApps')).rejects.toMatchObject({ status: 200, reason: 'unreadable-answer' });
  for (const garbage of [proxy, answer(200, {}), answer(200, null), answer(200, { data: 'none' })]) {
    turns = [garbage];
    await expect(dukkan.items('listProducts').next()).rejects.toMatchObject({ reason: 'unreadable-answer' });
  }
});

test('a list ends where its cursor does not move', async () => {
  turns = Array(3).fill(answer(200, { events: [], next_cursor: '0001_1', has_more: true }));
  for await (const _ of dukkan.items('listOrderChanges'));
  expect(asked).toHaveLength(2);
});

test('a time limit longer than a timer of the platform is kept, not ended at once', async () => {
  const slow: Turn = (_request, response) => setTimeout(() => response.writeHead(204).end(), 50);
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) {
    turns = [slow];
    await dukkan.call('listApps', { timeoutMs, retries: 0 });
  }
});

test('the feed waits an hour at most, however long the service asks for', async () => {
  const waits: number[] = [];
  for (const retryAfter of ['9999999', 'Fri, 31 Dec 2199 23:59:59 GMT']) {
    const stop = new AbortController();
    turns = [refuse(503, { 'retry-after': retryAfter })];
    const onReconnect = (_error: DukkanError, delayMs: number) => {
      waits.push(delayMs);
      stop.abort();
    };
    for await (const _ of dukkan.changes({ signal: stop.signal, onReconnect }));
  }
  expect(waits).toEqual([3_600_000, 3_600_000]);
});

test('a stream that is cut within an event gives it out once, whole', async () => {
  const event = (n: number) => ({
    id: `evt_${n}`,
    cursor: `000${n}_1`,
    type: 'order.created',
    order: { name: 'دكان' },
  });
  const frame = (n: number) => `id: 000${n}_1\nevent: order.created\ndata: ${JSON.stringify(event(n))}\n\n`;
  const page = (cursor: string) =>
    answer(200, { events: [], next_cursor: cursor, has_more: false, spec_version: '', organization_id: '' });
  const stream =
    (text: string, end: 'cut' | 'stay'): Turn =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(text);
      // Within the bytes of a letter.
      const middle = bytes.indexOf(0xd9) + 1 || bytes.length >> 1;
      response.write(bytes.subarray(0, middle));
      response.write(bytes.subarray(middle), () => end === 'cut' && response.destroy());
    };
  turns = [
    page('0000_1'),
    stream(`: connected\n\n${frame(1)}${frame(2).slice(0, -8)}`, 'cut'),
    stream(`${frame(1)}${frame(2)}${frame(3)}`, 'stay'),
  ];
  const seen: string[] = [];
  for await (const one of dukkan.changes()) {
    seen.push(one.id);
    expect(rawBodyOf(one)).toBe(JSON.stringify(event(seen.length)));
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(['evt_1', 'evt_2', 'evt_3']);
  expect(asked.map(({ url, headers }) => [url.split('?')[1], headers['last-event-id']])).toEqual([
    ['cursor=now&limit=500', undefined],
    [undefined, '0000_1'],
    [undefined, '0001_1'],
  ]);
});

test('a filter that finds nothing for weeks keeps its place among those that are kept', async () => {
  const nothing = (cursor: string) => answer(200, { events: [], next_cursor: cursor, has_more: false });
  const silence: Turn = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': connected\n\n');
    const now = Date.now;
    // An hour and a half later.
    Date.now = () => now() + 5_400_000;
    response.write(': still here\n\n');
    setTimeout(() => {
      Date.now = now;
      response.destroy();
    }, 2_000);
  };
  const stop = new AbortController();
  turns = [nothing('0001_1'), silence, nothing('0900_1'), () => stop.abort()];
  for await (const _ of dukkan.changes({ eventTypes: ['order.refunded'], signal: stop.signal }));
  expect(asked.at(-1)?.headers['last-event-id']).toBe('0900_1');
});
