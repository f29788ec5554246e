import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { exchange, type TestService, testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { SECRET, sign, vendorOf } from './testing/vendor.ts';

const DAY_MS = 86_400_000;
const MAX_BYTES = 2 * 1024 * 1024;
const clock = movableClock(new Date('2026-11-15T10:00:00Z'));
// Nothing reads what is received here: it is all about what is kept.
const service = await testService({ DUKKAN_ROLES: 'api' }, { clock });
const shop = await testOrganization(service.sql);
const { sql } = service;
const { ask, install, send, staged } = vendorOf(service, shop);
let second: TestService;
let installId: string;

beforeAll(async () => {
  const database = { url: service.databaseUrl, sql };
  second = await testService({ DUKKAN_ROLES: 'api' }, { clock, database });
  installId = await install();
});

/** As a line of a request's head. */
const signatureLine = (body: string | Buffer) => Object.entries(sign(body, SECRET)).flat().join(': ');

type Kept = { method: string; path: string; query: object; headers: Record<string, string>; payload: Buffer };

async function keptAs(stagingId: string): Promise<Kept | undefined> {
  const [row] = await sql<Kept[]>`
    select method, path, query, headers, payload from staged_payloads where id = ${stagingId}`;
  return row;
}

async function countOf(id: string): Promise<number> {
  return (await ask(`GET /staging?organization_app_id=${id}`)).body.total_count;
}

describe('POST /ingest/{id}', () => {
  test('returns 202 with the staging id', async () => {
    const reply = await send({ installId, body: '{"id":1}' });
    expect([reply.status, reply.body]).toEqual([
      202,
      {
        success: true,
        message: expect.any(String),
        data: { staging_id: expect.any(String) },
        timestamp: expect.any(String),
      },
    ]);
    expect(await staged(reply.body.data.staging_id)).toMatchObject({
      organization_app_id: installId,
      app_slug: 'woocommerce',
      status: 'pending',
      outcome: '',
      attempts: 0,
      error: null,
      event: null,
      external_order_id: null,
      order_id: null,
      processed_at: null,
      received_at: clock.now().toISOString(),
      payload: '{"id":1}',
    });
  });

  test.each([
    ['POST', '', ''],
    ['PUT', '/order/7', 'order/7'],
    ['PATCH', '/a/b/c/', 'a/b/c'],
    ['DELETE', '/order%2F8', 'order/8'],
    ['GET', '/', ''],
    ['GET', '/orders?since=1&since=2', 'orders'],
  ])('202 for %s behind it: "%s"', async (method, path, keptPath) => {
    const body = method === 'GET' ? undefined : `{"by":"${method}"}`;
    const reply = await send({ installId, method, path, body });
    expect(reply.status, reply.text).toBe(202);
    expect(await keptAs(reply.body.data.staging_id)).toMatchObject({
      method,
      path: keptPath,
      query: path.includes('?') ? { since: '1,2' } : {},
      payload: Buffer.from(body ?? ''),
    });
  });

  test.each<[string, Buffer, Record<string, string>]>([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]), { 'content-type': 'application/json' }],
    ['compressed ones', gzipSync('{"id":1}'), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['endless brackets', Buffer.from('['.repeat(100_000)), { 'content-type': 'application/json' }],
    ['a poisoned prototype', Buffer.from('{"__proto__":{"a":1}}'), { 'content-type': 'application/json' }],
    ['no word of what they are', Buffer.from('{"id":77}'), {}],
    ['nothing', Buffer.alloc(0), { 'content-type': 'application/json' }],
    ['a form', Buffer.from('webhook_id=12'), { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an unknown content type', Buffer.from('x'), { 'content-type': 'no/such; kind="' }],
    ['a form of parts that is none', Buffer.from('--x'), { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('returns 202 for %s, stored byte by byte', async (_what, body, headers) => {
    const reply = await send({ installId, body, headers: { 'user-agent': 'shop', ...headers } });
    expect(reply.status, reply.text).toBe(202);
    const kept = await keptAs(reply.body.data.staging_id);
    expect(kept?.payload.equals(body)).toBe(true);
    // What is shown of it is text, whatever it is.
    expect((await staged(reply.body.data.staging_id)).payload).toBe(body.toString('utf8'));
  });

  test('stores a secret of the body with it, and masks it in responses', async () => {
    const body = { app_slug: 'moyasar-sync', settings: { webhook_secret: 'as "typed" in', access_token: 'sk' } };
    const made = await ask('POST /apps', { body });
    const call = { id: 'evt-1', type: 'payment_paid', secret_token: 'as "typed" in', data: { id: 'pay-1' } };
    const reply = await ask(`POST /ingest/${made.body.data.id}`, { body: call });
    expect(reply.status, reply.text).toBe(202);
    const { staging_id } = reply.body.data;
    expect(String((await keptAs(staging_id))?.payload)).toBe(JSON.stringify(call));
    expect(JSON.parse((await staged(staging_id)).payload)).toEqual({ ...call, secret_token: '***' });
  });

  test('returns 202 without a content type', async () => {
    const body = '{"bare":1}';
    const headers = signatureLine(body);
    const lines = [`POST /api/v1/ingest/${installId} HTTP/1.1`, 'host: x', `content-length: ${body.length}`];
    const answer = await exchange(service.baseUrl, `${[...lines, headers, '', body].join('\r\n')}`);
    expect(answer.status).toBe(202);
  });

  test('returns 202 up to 2 MB and 413 beyond, with and without content-length', async () => {
    const body = Buffer.alloc(MAX_BYTES, 'a');
    const before = await countOf(installId);
    expect((await send({ installId, body })).status).toBe(202);
    const over = Buffer.alloc(MAX_BYTES + 1, 'b');
    const refused = await send({ installId, body: over });
    expect([refused.status, refused.body]).toEqual([
      413,
      { code: 413, error: expect.any(String), details: expect.anything() },
    ]);
    const headers = signatureLine(over);
    const head = [
      `POST /api/v1/ingest/${installId} HTTP/1.1`,
      'host: x',
      'transfer-encoding: chunked',
      headers,
      '',
      '',
    ];
    const chunk = Buffer.concat([Buffer.from(`${over.length.toString(16)}\r\n`), over, Buffer.from('\r\n0\r\n\r\n')]);
    const chunked = await exchange(service.baseUrl, Buffer.concat([Buffer.from(head.join('\r\n')), chunk]));
    expect(chunked.status).toBe(413);
    expect(await countOf(installId)).toBe(before + 1);
  });

  test('multipart bodies release the memory they reserved', async () => {
    // Three of them are more than one address may have in memory at once.
    for (const letter of ['c', 'd', 'e', 'f']) {
      const body = Buffer.alloc(MAX_BYTES - 10, letter);
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      expect((await send({ installId, body, headers })).status).toBe(202);
    }
  });

  test('returns 401 without a valid signature, and stores nothing', async () => {
    const before = await countOf(installId);
    const body = '{"id":"forged"}';
    const signature = { 'x-wc-webhook-signature': '' };
    for (const sending of [{ secret: 'another' }, { headers: signature }, { path: '/x?token=y', secret: '' }]) {
      const reply = await send({ installId, body, ...sending });
      expect([reply.status, reply.body]).toEqual([
        401,
        {
          code: 401,
          error: 'Invalid signature',
          details: { app_slug: 'woocommerce', needs: "the vendor's signature" },
        },
      ]);
    }
    expect(await countOf(installId)).toBe(before);
  });

  test.each([newId(), 'not-an-id', '%F0%9F%8D%AF'])('returns 404 for %s', async (id) => {
    const reply = await send({ installId: id, body: '{}' });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'App not found', details: { id: decodeURIComponent(id) } });
  });

  test('returns 409 while disabled, only with a valid signature, on every process at once', async () => {
    const id = await install();
    const body = '{"id":1}';
    for (const { baseUrl } of [service, second])
      expect((await send({ installId: id, body, baseUrl })).status).toBe(202);
    await ask(`PATCH /apps/${id}`, { body: { enabled: false } });
    for (const { baseUrl } of [second, service]) {
      const reply = await send({ installId: id, body: '{"id":2}', baseUrl });
      expect([reply.status, reply.body]).toEqual([
        409,
        { code: 409, error: 'App is disabled', details: { id, app_slug: 'woocommerce' } },
      ]);
      expect((await send({ installId: id, body, secret: 'another', baseUrl })).status).toBe(401);
    }
    expect(await countOf(id)).toBe(1);
    await ask(`PATCH /apps/${id}`, { body: { enabled: true } });
    for (const { baseUrl } of [second, service]) {
      expect((await send({ installId: id, body: '{"id":2}', baseUrl })).status).toBe(202);
    }
  });

  test('accepts a new secret and refuses the old one at once, on every process', async () => {
    const id = await install();
    for (const { baseUrl } of [service, second]) {
      expect((await send({ installId: id, body: '{"id":1}', baseUrl })).status).toBe(202);
    }
    await ask(`PATCH /apps/${id}`, { body: { settings: { webhook_secret: 'rotated' } } });
    for (const [number, { baseUrl }] of [second, service].entries()) {
      const body = `{"after":${number}}`;
      expect((await send({ installId: id, body, baseUrl })).status).toBe(401);
      expect((await send({ installId: id, body, secret: 'rotated', baseUrl })).status).toBe(202);
      expect((await send({ installId: id, body: '{"id":1}', baseUrl })).status).toBe(401);
    }
  });

  test('stores headers and query without signatures and tokens', async () => {
    const reply = await send({
      installId,
      body: '{"with":"headers"}',
      path: '/x?token=our-own&tamaraToken=theirs&store=7',
      headers: {
        authorization: 'Basic c2VjcmV0OnNlY3JldA==',
        cookie: 'session=secret',
        'x-ingest-token': 'secret',
        'x-api-key': 'secret',
        'x-signature': 'secret',
        'x-wc-webhook-topic': 'order.created',
        'x-long': 'l'.repeat(3_000),
      },
    });
    expect(reply.status, reply.text).toBe(202);
    const { headers } = await staged(reply.body.data.staging_id);
    expect(headers).toMatchObject({ 'x-wc-webhook-topic': 'order.created', 'x-long': 'l'.repeat(2_000) });
    const kept = await keptAs(reply.body.data.staging_id);
    expect(kept?.query).toEqual({ store: '7' });
    expect(JSON.stringify(kept?.headers)).not.toMatch(/secret|signature|authorization|cookie|c2VjcmV0/);
  });
});

describe('a repeated delivery', () => {
  const deliveryId = (id: string) => ({ 'x-wc-webhook-delivery-id': id });
  const idOf = async (sending: Parameters<typeof send>[0]) => {
    const reply = await send(sending);
    expect(reply.status, reply.text).toBe(202);
    return reply.body.data.staging_id as string;
  };

  test("is recognized by the vendor's id for the whole retention, whatever its body", async () => {
    const id = await install();
    const first = await idOf({ installId: id, body: '1', headers: deliveryId('a') });
    expect(await idOf({ installId: id, body: '2', headers: deliveryId('a') })).toBe(first);
    clock.advanceMs(29 * DAY_MS);
    expect(await idOf({ installId: id, body: '1', headers: deliveryId('a') })).toBe(first);
    expect(await idOf({ installId: id, body: '1', headers: deliveryId('b') })).not.toBe(first);
    // Of another install it is another.
    expect(await idOf({ installId, body: '1', headers: deliveryId('a') })).not.toBe(first);
  });

  test('is not recognized by an empty id', async () => {
    const id = await install();
    const first = await idOf({ installId: id, body: '1', headers: deliveryId('') });
    expect(await idOf({ installId: id, body: '2', headers: deliveryId('') })).not.toBe(first);
    expect(await idOf({ installId: id, body: '1', headers: deliveryId('') })).toBe(first);
  });

  test('is recognized by its bytes for a day without an id', async () => {
    const id = await install();
    const first = await idOf({ installId: id, body: 'x' });
    clock.advanceMs(DAY_MS - 1);
    expect(await idOf({ installId: id, body: 'x' })).toBe(first);
    expect(await idOf({ installId: id, body: 'x', path: '/elsewhere' })).not.toBe(first);
    clock.advanceMs(1);
    const next = await idOf({ installId: id, body: 'x' });
    expect(next).not.toBe(first);
    expect(await idOf({ installId: id, body: 'x' })).toBe(next);
  });

  test('is stored once when fifty arrive concurrently at two processes', async () => {
    const id = await install();
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        idOf({ installId: id, body: 'at once', baseUrl: number % 2 === 0 ? service.baseUrl : second.baseUrl }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await countOf(id)).toBe(1);
    const queued = await sql`select from staging_queue where organization_app_id = ${id}`;
    expect(queued).toHaveLength(1);
  });

  test('is accepted again after its payload was deleted', async () => {
    const id = await install();
    const first = await idOf({ installId: id, body: 'x' });
    expect((await ask(`DELETE /staging/${first}`)).body.data).toMatchObject({ id: first, status: 'pending' });
    expect(await sql`select from staging_queue where organization_app_id = ${id}`).toHaveLength(0);
    expect((await ask(`GET /staging/${first}`)).status).toBe(404);
    expect(await idOf({ installId: id, body: 'x' })).not.toBe(first);
  });

  test('accepts calls weeks after the last housekeeping', async () => {
    clock.advanceMs(50 * DAY_MS);
    for (const { baseUrl } of [service, second]) {
      expect(await idOf({ installId, body: `late ${baseUrl}`, baseUrl })).toBeTruthy();
    }
  });
});
