import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type TestAccount,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';

type Lead = { id: string; name: string; email: string; erp: string; notes: string; created: string };

const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
let service: TestService;
let operator: TestAccount;
beforeAll(async () => {
  service = await testService({ LEAD_RATE_LIMIT_PER_MINUTE: '0' }, { clock });
  operator = await commercialAccount(service.sql);
});

const send = (body: unknown, headers?: Record<string, string>) =>
  call<Lead>(service.baseUrl, 'POST /leads', { body, headers });
const list = async () =>
  (await call<{ leads: Lead[] }>(service.baseUrl, 'GET /leads', { token: operator.token })).body.leads;
const sara = { name: 'Sara Al-Harbi', email: 'sara@example.com' };

describe('POST /leads', () => {
  it('returns the stored row', async () => {
    const form = {
      ...sara,
      phone: '+966500000000',
      position: 'مديرة',
      plan: 'growth',
      contact_reason: 'demo',
      erp: 'Odoo',
      notes: 'call after 5',
    };
    const { status, body } = await send({ ...form, colour: 'unknown fields are ignored' });
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.any(String), ...form, created: '2026-11-15T08:00:00.000Z' });
    expect(await list()).toContainEqual(body);
  });

  it('requires only email and name; absent and null fields become empty strings', async () => {
    const { body } = await send({ ...sara, erp: null, notes: null, phone: null });
    expect(body).toMatchObject({ phone: '', position: '', plan: '', contact_reason: '', erp: '', notes: '' });
    const [row] = await service.sql`select erp, notes from leads where id = ${body.id}`;
    expect(row).toEqual({ erp: '', notes: '' });
  });

  it('accepts a blank name unchanged', async () => {
    expect((await send({ ...sara, name: '   ' })).body.name).toBe('   ');
  });

  it.each([
    ['nothing', {}, 'missing required field: email'],
    ['an array', [], 'missing required field: email'],
    ['text', 'hello', 'missing required field: email'],
    ['an empty email, and no name either', { email: '' }, 'missing required field: email'],
    ['a null email', { email: null, name: 'x' }, 'missing required field: email'],
    ['a wrong email, and no name either', { email: 'x' }, 'invalid email format'],
    ['an email without a dot in its host', { ...sara, email: 'sara@host' }, 'invalid email format'],
    ['an email with nothing before the @', { ...sara, email: '@host.tld' }, 'invalid email format'],
    ['an email with two @', { ...sara, email: 'a@b@host.tld' }, 'invalid email format'],
    ['an email with a space', { ...sara, email: 'sa ra@host.tld' }, 'invalid email format'],
    ['an email with a dot at the end', { ...sara, email: 'sara@host.' }, 'invalid email format'],
    ['an email with two dots', { ...sara, email: 'sara@host..tld' }, 'invalid email format'],
    ['a very long email', { ...sara, email: `${'x'.repeat(320)}@host.tld` }, 'invalid email format'],
    ['an email that is a number', { ...sara, email: 5 }, 'invalid email format'],
    ['no name', { email: sara.email }, 'missing required field: name'],
    ['an empty name', { ...sara, name: '' }, 'missing required field: name'],
    ['a null name', { ...sara, name: null }, 'missing required field: name'],
    ['a name that is a number', { ...sara, name: 5 }, 'invalid field: name'],
    ['a phone that is a number', { ...sara, phone: 966 }, 'invalid field: phone'],
    ['endless notes', { ...sara, notes: 'x'.repeat(10_001) }, 'field too long: notes'],
  ])('400: %s', async (_what, body, message) => {
    const reply = await send(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ data: null, message, status: 400 });
  });

  it.each([
    ['sara@host.tld'],
    ['s@h.co.uk'],
    ['sara+shop@host-name.tld'],
    ['سارة@متجر.السعودية'],
    ["o'hara@host.tld"],
    ['"@host.tld'],
  ])('accepts the email %s', async (email) => {
    expect((await send({ ...sara, email })).status).toBe(200);
  });

  it('returns 400 in its own envelope for invalid JSON, a wrong content type and an empty body', async () => {
    const raw = (text: string | undefined, type?: string) =>
      call(service.baseUrl, 'POST /leads', { raw: text, headers: type ? { 'content-type': type } : {} });
    expect((await raw('{', 'application/json')).body).toEqual({ data: null, message: 'Malformed JSON', status: 400 });
    expect((await raw('name=x', 'text/plain')).body).toEqual({
      data: null,
      message: 'Wrong content type',
      status: 400,
    });
    expect((await raw(undefined)).body).toEqual({ data: null, message: 'missing required field: email', status: 400 });
  });

  it('ignores tokens, also invalid ones', async () => {
    expect((await call(service.baseUrl, 'POST /leads', { body: sara, token: 'nonsense' })).status).toBe(200);
  });

  it('stores a form once for an idempotency key', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await send(sara, key);
    const again = await send(sara, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-hit')).toBe('true');
  });

  it('stores both forms when two clients use the same idempotency key', async () => {
    const behindProxy = await testService({ LEAD_RATE_LIMIT_PER_MINUTE: '0', TRUST_PROXY: '1' });
    const key = newId();
    const from = (address: string, body: object) =>
      call<Lead>(behindProxy.baseUrl, 'POST /leads', {
        body,
        headers: { 'idempotency-key': key, 'x-forwarded-for': address },
      });
    const other = { ...sara, name: 'Other' };
    const replies = [
      await from('192.0.2.1', sara),
      await from('192.0.2.1', other),
      await from('192.0.2.2', sara),
      await from('192.0.2.1', sara),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(replies.map(({ headers }) => headers.get('idempotency-hit'))).toEqual([null, null, null, 'true']);
    const rows = await behindProxy.sql`select id from leads`;
    expect(rows).toHaveLength(3);
    expect(replies[3]?.body).toEqual(replies[0]?.body);
    // A stored response is never returned to another address.
    const [stored] = await behindProxy.sql<{ scope: string }[]>`select scope from idempotency_keys where key = ${key}`;
    expect(stored?.scope).not.toContain('192.0.2');
  });

  it('returns 500 when it cannot be stored', async () => {
    await service.sql`alter table leads rename to away`;
    const failed = await send(sara);
    const failedWithKey = await send(sara, { 'idempotency-key': newId() });
    await service.sql`alter table away rename to leads`;
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({ data: null, message: 'failed to create lead', status: 500 });
    expect(failedWithKey.body).toEqual(failed.body);
  });
});

describe('GET /leads', () => {
  it('returns the newest first, at most five hundred', async () => {
    await service.sql`delete from leads`;
    const start = clock.now().getTime();
    await service.sql`
      insert into leads (id, name, email, created)
      select gen_random_uuid(), 'lead ' || n, 'l@example.com', ${new Date(start)}::timestamptz + n * interval '1 second'
      from generate_series(1, 510) n`;
    const leads = await list();
    expect(leads).toHaveLength(500);
    expect(leads.map(({ name }) => name)).toEqual(Array.from({ length: 500 }, (_, index) => `lead ${510 - index}`));
  });

  it('401 without a token and 403 for a merchant, in its own envelope', async () => {
    const { owner } = await testOrganization(service.sql);
    const missing = await call(service.baseUrl, 'GET /leads');
    expect([missing.status, missing.body]).toEqual([
      401,
      { data: null, message: 'Valid API key required', status: 401 },
    ]);
    const merchant = await call(service.baseUrl, 'GET /leads', { token: owner.token });
    expect([merchant.status, merchant.body]).toEqual([403, { data: null, message: 'Forbidden', status: 403 }]);
  });

  it('returns 500 when they cannot be read', async () => {
    await service.sql`alter table leads rename to away`;
    const failed = await call(service.baseUrl, 'GET /leads', { token: operator.token });
    await service.sql`alter table away rename to leads`;
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({ data: null, message: 'failed to list leads', status: 500 });
  });
});
