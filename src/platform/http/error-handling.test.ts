import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, DatabaseBusy, type Sql, TenantQueueFull } from '../database/index.ts';
import { Problem, unauthorized } from './problem.ts';
import { createHttpServer } from './server.ts';

const lines: string[] = [];
const log = pino(
  { level: 'warn' },
  new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }),
);
const { app } = createHttpServer({ log, trustProxy: false, maxInFlightRequests: 10 });

let baseUrl: string;
let sql: Sql;
const nowhere = connectDatabase('postgres://u@127.0.0.1:1/db', { poolSize: 1, applicationName: 'tests' });

beforeAll(async () => {
  ({ sql } = await testDatabase());
  const throwing: Record<string, () => Promise<unknown>> = {
    bug: async () => {
      throw new TypeError('the password is hunter2');
    },
    'not-an-error': async () => Promise.reject('just text'),
    statement: () => sql`select secret_column from nowhere`,
    value: () => sql`select 99999999999::int`,
    collision: () => sql.unsafe(`do $$ begin raise exception 'x' using errcode = '40001'; end $$`),
    gone: () => nowhere`select 1`,
    reset: async () => {
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
    'database-busy': async () => {
      throw new DatabaseBusy('The database was busy for too long');
    },
    'queue-full': async () => {
      throw new TenantQueueFull(7);
    },
    refusal: async () => {
      throw new Problem(418, 'Short and stout', { pot: 'tea' }, { 'retry-after': '5' });
    },
  };
  for (const [name, work] of Object.entries(throwing)) app.get(`/${name}`, async () => void (await work()));
  app.get('/lead-style', { config: { errorStyle: 'lead' } }, async () => {
    throw new Error('x');
  });
  baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await nowhere.end({ timeout: 1 });
});

const ask = (path: string) => call(baseUrl, `GET /${path}`, { headers: { 'x-request-id': `asked-${path.slice(1)}` } });

describe('a busy database', () => {
  it('is in the log, except when a tenant has filled its own queue, which is a refusal of that tenant', async () => {
    const full = await ask('/queue-full');
    expect([full.status, full.headers.get('x-error-reason')]).toEqual([429, 'rate-limited']);
    expect(full.headers.get('retry-after')).toBe('1');
    expect(full.body).toMatchObject({ error: 'Too many requests', details: { limit: 7 } });
    const busy = await ask('/database-busy');
    expect([busy.status, busy.headers.get('x-error-reason')]).toEqual([503, 'busy']);
    expect(lines.some((line) => line.includes('asked-database-busy'))).toBe(true);
    expect(lines.some((line) => line.includes('asked-queue-full'))).toBe(false);
  });
});

describe('500', () => {
  it.each(['/bug', '/statement', '/not-an-error'])('%s says nothing but where to look in the log', async (path) => {
    const reply = await ask(path);
    const id = `asked-${path.slice(1)}`;
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({ code: 500, error: 'Internal error', details: { request_id: id } });
    expect(reply.headers.get('x-request-id')).toBe(id);
    expect(lines.find((line) => line.includes(id))).toContain('internal error');
  });

  it('says it in the envelope of leads where that is the custom', async () => {
    expect((await ask('/lead-style')).body).toEqual({ data: null, message: 'Internal error', status: 500 });
  });
});

describe('503', () => {
  it.each(['/gone', '/reset'])('%s: the database cannot be reached', async (path) => {
    const reply = await ask(path);
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.body).toMatchObject({ code: 503, details: 'The database cannot be reached' });
  });

  it('a write that gave way to another', async () => {
    expect(await ask('/collision')).toMatchObject({ status: 503, body: { code: 503 } });
  });
});

describe('other refusals', () => {
  it('a value that only the database refuses is 422, and the log shows it', async () => {
    expect((await ask('/value')).body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: 'A value cannot be stored',
    });
    expect(lines.some((line) => line.includes('value refused by the database'))).toBe(true);
  });

  it('a problem is sent as it is, with its headers', async () => {
    const reply = await ask('/refusal');
    expect(reply.body).toEqual({ code: 418, error: 'Short and stout', details: { pot: 'tea' } });
    expect(reply.headers.get('retry-after')).toBe('5');
  });
});

describe('X-Error-Reason', () => {
  it.each([
    ['refusal', 'short-and-stout'],
    ['bug', 'internal-error'],
    ['gone', 'database-unavailable'],
    ['collision', 'busy'],
    ['value', 'validation-failed'],
    ['lead-style', 'internal-error'],
    ['nowhere', 'not-found'],
  ])('/%s: %s', async (path, reason) => {
    expect((await ask(`/${path}`)).headers.get('x-error-reason')).toBe(reason);
  });

  it('is the sentence in kebab-case, or a word of its own where the sentence says too little', () => {
    expect(new Problem(404, 'SKU iv_id already exists').reason).toBe('sku-iv-id-already-exists');
    expect(new Problem(403, 'Forbidden').named('missing-grant').reason).toBe('missing-grant');
    expect(unauthorized({}).reason).toBe('unauthenticated');
    expect(new Problem(400, '???').reason).toBe('refused');
  });

  it('is on what never became a request, too', async () => {
    const { port } = new URL(baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toContain('x-error-reason: malformed-request\r\n');
  });
});
