import { beforeAll, describe, expect, it } from 'vitest';
import { call, exchange, openSocket, readAnswer, testShop } from '../../../test/harness/index.ts';

let baseUrl: string;
let token: string;
beforeAll(async () => {
  const { service, shop } = await testShop();
  ({ baseUrl } = service);
  ({ token } = shop.owner);
});

describe('404', () => {
  it.each([
    ['GET /nothing/here', {}],
    ['PUT /ping', { methods: ['GET', 'HEAD'] }],
    ['DELETE /auth/credentials/', { methods: ['GET', 'HEAD'] }],
    ['GET /auth/login', { methods: ['POST'] }],
    ['POST /orders/0193a1f0-7c00-7000-8000-000000000001', { methods: ['GET', 'HEAD', 'PUT'] }],
    ['PATCH /orders/changes', { methods: ['GET', 'HEAD'] }],
    ['POST //api/v1/openapi.json', { methods: ['GET', 'HEAD'] }],
    ['GET /', {}],
    ['GET //', { hint: 'Every path of the API starts with /api/v1' }],
    ['GET //nothing', { hint: 'Every path of the API starts with /api/v1' }],
    ['GET //orders', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/orders?' }],
    ['POST //v1/orders', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/orders?' }],
    ['GET //api/orders/7', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/orders/7?' }],
    ['GET //api/v2/ping', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/ping?' }],
    ['GET //api/v1x/ping', { hint: 'Every path of the API starts with /api/v1' }],
  ])('%s returns 404 with the closest methods or path', async (target, near: { methods?: string[]; hint?: string }) => {
    const reply = await call(baseUrl, target);
    const [method, path = ''] = target.split(' ');
    const where = path.startsWith('//') ? path.replace('//', '/') : `/api/v1${path}`;
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'Not found', details: { method, path: where, ...near } });
    expect(reply.headers.get('allow')).toBe(near.methods?.join(', ') ?? null);
  });

  it.each([
    ['PUT /orders/changes', ['GET', 'HEAD']],
    ['PUT /orders/dashboard/', ['GET', 'HEAD']],
    ['GET /orders/bulk', ['DELETE', 'POST']],
    ['DELETE /apps/catalog?force=true', ['GET', 'HEAD']],
  ])('%s returns 404 with the methods of that path, not of the record of that id', async (target, methods) => {
    const reply = await call(baseUrl, target, { token, ...(target.startsWith('PUT') && { body: {} }) });
    const [method, path] = target.split(/[ ?]/);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'Not found', details: { method, path: `/api/v1${path}`, methods } });
    expect(reply.headers.get('allow')).toBe(methods.join(', '));
  });

  it('finds a branch whose iv_id is the last word of another path', async () => {
    await call(baseUrl, 'POST /branches', { token, body: { iv_id: 'bulk' } });
    const reply = await call(baseUrl, 'GET /branches/bulk', { token });
    expect([reply.status, (reply.body as { iv_id: string }).iv_id]).toEqual([200, 'bulk']);
    const options = await call(baseUrl, 'PATCH /branches/bulk', { token });
    expect(options.headers.get('allow')).toBe('DELETE, GET, HEAD, POST, PUT');
  });

  it('returns no hint when the client asks for a page', async () => {
    const reply = await call(baseUrl, 'GET //orders', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(reply.body).toEqual({ code: 404, error: 'Not found', details: { method: 'GET', path: '/orders' } });
  });

  it('returns no body for HEAD, and the allowed methods for OPTIONS', async () => {
    const head = await call(baseUrl, 'HEAD /auth/login');
    expect([head.status, head.text, head.headers.get('allow')]).toEqual([404, '', 'POST']);
    const options = await call(baseUrl, 'OPTIONS /orders');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST']);
    const nowhere = await call(baseUrl, 'OPTIONS /nothing');
    expect([nowhere.status, nowhere.headers.get('allow')]).toEqual([404, null]);
  });

  it('does not repeat the query, which may hold a secret', async () => {
    expect((await call(baseUrl, 'GET /nothing?token=hunter2')).text).not.toContain('hunter2');
  });

  it('is returned for a key that is longer than any key', async () => {
    const reply = await call(baseUrl, `GET /jobs/${'x'.repeat(3000)}`, { token });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 404, error: 'Not found' });
    expect(reply.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('400', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['a wrong content type', { raw: 'email=x', headers: { 'content-type': 'text/plain' } }, 'Wrong content type'],
    [
      'a form',
      { raw: 'email=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      'Wrong content type',
    ],
    ['no content type', { raw: Buffer.from('{}') }, 'Wrong content type'],
    ['broken JSON', { raw: '{"email":', headers: json }, 'Malformed JSON'],
    ['an empty body', { raw: '', headers: json }, 'Malformed JSON'],
    ['no body at all', {}, 'Invalid request'],
    ['null for a body', { raw: 'null', headers: json }, 'Invalid request'],
    ['a NUL in the body', { raw: '{"email":"\\u0000","password":"x"}', headers: json }, 'Malformed JSON'],
    ['a body too deep', { raw: '['.repeat(10_000), headers: json }, 'Malformed JSON'],
  ])('returns 400 for %s', async (_what, options, error) => {
    const reply = await call(baseUrl, 'POST /auth/login', options);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 400, error });
  });

  it.each([
    ['POST /auth/login', 'text/plain', 'text/plain is not taken here: send application/json'],
    ['POST /auth/login', undefined, 'There is no content type: send application/json'],
    ['POST /branches', 'text/csv', 'text/csv is not taken here: send application/json or multipart/form-data'],
    [
      'POST /products',
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary=x is not taken here: send application/json',
    ],
  ])('%s as %s names the content types that are accepted', async (target, type, details) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const reply = await call(baseUrl, target, { token, headers, raw: Buffer.from('x') });
    expect(reply.body).toEqual({ code: 400, error: 'Wrong content type', details });
  });

  it('accepts a charset beside the content type', async () => {
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    expect((await call(baseUrl, 'POST /auth/login', { raw: '{}', headers })).status).toBe(422);
  });

  it.each(['/auth/session-tokens?page=%00', '/jobs/%00', '/nothing/a%00b'])(
    'returns 400 for a NUL in %s',
    async (path) => {
      const reply = await call(baseUrl, `GET ${path}`, { token });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({ code: 400, error: 'Invalid request', details: 'The address holds a NUL character' });
    },
  );

  it.each(['/jobs/%', '/jobs/%E0%A4%A', '/jobs/%ff%fe', '/%zz'])(
    'returns 400 for an address that cannot be decoded: %s',
    async (path) => {
      const reply = await exchange(baseUrl, `GET /api/v1${path} HTTP/1.1\r\nhost: x\r\nx-request-id: odd-1\r\n\r\n`);
      expect(reply.status).toBe(400);
      expect(JSON.parse(reply.body)).toEqual({
        code: 400,
        error: 'Malformed request',
        details: 'The address is not valid',
      });
      expect(reply.head).toMatch(/x-request-id: odd-1/i);
      expect(reply.head).toMatch(/x-content-type-options: nosniff/i);
    },
  );

  it.each([
    ['no HTTP', 'HELO shop.example\r\n\r\n'],
    ['an unknown method', 'BREW /api/v1/ping HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a header without a name', 'GET /api/v1/ping HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['two lengths', 'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('returns 400 once and closes the connection after %s', async (_what, bytes) => {
    const reply = await exchange(baseUrl, bytes);
    expect(reply.status).toBe(400);
    expect(reply.head).toMatch(/connection: close/i);
    expect(JSON.parse(reply.body)).toEqual({ code: 400, error: 'Malformed request', details: {} });
  });

  it('returns 431 for headers of 40 kB', async () => {
    const reply = await exchange(
      baseUrl,
      `GET /api/v1/ping HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(40_000)}\r\n\r\n`,
    );
    expect(reply.status).toBe(431);
    expect(JSON.parse(reply.body)).toEqual({ code: 431, error: 'Request headers too large', details: {} });
  });
});

describe('413', () => {
  const KB = 1024;
  it.each([
    ['POST /auth/login', 16 * KB],
    ['POST /auth/refresh', 16 * KB],
    ['POST /auth/password', 16 * KB],
    ['POST /auth/session-tokens', 16 * KB],
    ['POST /leads', 256 * KB],
    ['POST /orders', 512 * KB],
    ['PUT /orders/x', 512 * KB],
    ['POST /products', KB * KB],
    ['POST /branches', KB * KB],
    ['PATCH /orders/bulk/status', KB * KB],
    ['DELETE /orders/bulk', KB * KB],
    ['POST /nothing/here', KB * KB],
    ['POST /orders/bulk', 32 * KB * KB],
    ['POST /products/bulk', 32 * KB * KB],
    ['POST /branches/bulk', 32 * KB * KB],
    ['POST /skus/bulk', 32 * KB * KB],
  ])('refuses %s with more than %i bytes by the announced length', async (target, limit) => {
    const [method, path] = target.split(' ');
    const announced = (length: number) =>
      `${method} /api/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const reply = await exchange(baseUrl, announced(limit + 1));
    expect(reply.status).toBe(413);
    if (path !== '/leads') {
      const details = 'The request body is too large';
      expect(JSON.parse(reply.body)).toEqual({ code: 413, error: 'Payload too large', details });
    }
    // One byte less is waited for, and was then cut off.
    const socket = await openSocket(baseUrl);
    socket.end(announced(limit));
    expect((await readAnswer(socket)).status).toBe(400);
  });

  it('refuses a small body of too many values', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await call(baseUrl, 'POST /products', { token, headers, raw: `[${'[],'.repeat(50_000)}1]` });
    expect(reply.body).toEqual({
      code: 413,
      error: 'Payload too large',
      details: 'The request body holds more than 50000 values',
    });
    const bulk = (values: number) =>
      call(baseUrl, 'POST /products/bulk', { token, headers, raw: `[${'1,'.repeat(values)}1]` });
    expect((await bulk(60_000)).status).not.toBe(413);
    expect((await bulk(200_000)).body.details).toBe('The request body holds more than 200000 values');
  });

  it('refuses a body that grows too large without an announced length', async () => {
    const chunk = `${(300 * 1024).toString(16)}\r\n${' '.repeat(300 * 1024)}\r\n0\r\n\r\n`;
    const reply = await exchange(
      baseUrl,
      `POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`,
    );
    expect(reply.status).toBe(413);
    expect(JSON.parse(reply.body)).toEqual({ data: null, message: 'Payload too large', status: 413 });
  });
});

describe('422', () => {
  it('names every field that is wrong', async () => {
    const reply = await call(baseUrl, 'POST /auth/login', { body: { email: 5, password: '' } });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: { email: 'must be a string', password: 'must not be empty' },
    });
  });
});
