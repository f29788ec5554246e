import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { inTransaction } from '../database/index.ts';
import { newId } from '../ids.ts';
import { forgetOldKeys } from './idempotent-write.ts';

type Made = { id: string; name: string; api_key: string };

let service: TestService;
let shop: TestOrganization;
beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
});

const make = (key: string | undefined, name: string, token = shop.owner.token, node = service) =>
  call<Made>(node.baseUrl, 'POST /auth/api-keys', {
    token,
    body: { name },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const rowsNamed = async (name: string) => (await service.sql`select 1 from api_keys where name = ${name}`).length;
const keyRows = async (key: string) => (await service.sql`select 1 from idempotency_keys where key = ${key}`).length;
const isHit = (reply: { headers: Headers }) => reply.headers.get('idempotency-hit') === 'true';

describe('the same request again', () => {
  it('gets the stored answer, the secret in it included, and makes nothing', async () => {
    const [key, name] = [newId(), newId()];
    const first = await make(key, name);
    const again = await make(key, name);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect([isHit(first), isHit(again)]).toEqual([false, true]);
    expect(again.body).toEqual(first.body);
    expect(await rowsNamed(name)).toBe(1);
  });

  it('fifty at once: one row, forty-nine hits, one answer', async () => {
    const [key, name] = [newId(), newId()];
    const replies = await Promise.all(Array.from({ length: 50 }, () => make(key, name)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.api_key)).size).toBe(1);
    expect(replies.filter(isHit)).toHaveLength(49);
    expect(await rowsNamed(name)).toBe(1);
  });

  it('fifty at once over two nodes: the same', async () => {
    const other = await testService({}, { database: { url: service.databaseUrl, sql: service.sql } });
    const [key, name] = [newId(), newId()];
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => make(key, name, shop.owner.token, index % 2 === 0 ? service : other)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.api_key)).size).toBe(1);
    expect(replies.filter(isHit)).toHaveLength(49);
    expect(await rowsNamed(name)).toBe(1);
  });

  it('does not mind white space in the body, but the order of fields is another text', async () => {
    const key = newId();
    const raw = (text: string) =>
      call(service.baseUrl, 'POST /auth/session-tokens', {
        token: shop.owner.token,
        raw: text,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
    expect((await raw('{"name":"n","expires_in_days":5}')).status).toBe(201);
    expect(isHit(await raw('{ "name" : "n",\n "expires_in_days" : 5 }'))).toBe(true);
    const turned = await raw('{"expires_in_days":5,"name":"n"}');
    expect([turned.status, isHit(turned)]).toEqual([422, false]);
    expect(turned.body).toMatchObject({ error: 'Idempotency key reused' });
  });

  it('stores the response encrypted', async () => {
    const key = newId();
    const { body } = await make(key, newId());
    const [kept] = await service.sql<{ answer: Buffer }[]>`select answer from idempotency_keys where key = ${key}`;
    expect(kept?.answer.includes(body.api_key)).toBe(false);
    expect(kept?.answer.includes(body.id)).toBe(false);
  });
});

describe('the same key', () => {
  it('with another body is 422', async () => {
    const key = newId();
    await make(key, 'one');
    const reply = await make(key, 'two');
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      code: 422,
      error: 'Idempotency key reused',
      details: { 'Idempotency-Key': 'was used before with another request' },
    });
  });

  it('with another body at the same moment: one is let in, the other is 422', async () => {
    const key = newId();
    const replies = await Promise.all([make(key, 'one'), make(key, 'two')]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  });

  it('is one for a person’s own things and another for those of the organization', async () => {
    const key = newId();
    await make(key, 'one');
    const own = await call(service.baseUrl, 'POST /auth/session-tokens', {
      token: shop.owner.token,
      body: { name: 'one' },
      headers: { 'idempotency-key': key },
    });
    expect([own.status, isHit(own)]).toEqual([201, false]);
  });

  it("is another user's own", async () => {
    const [key, name] = [newId(), newId()];
    const colleague = await testAccount(service.sql, shop.id, 'owner');
    const outsider = await testOrganization(service.sql);
    const replies = [];
    for (const token of [shop.owner.token, colleague.token, outsider.owner.token]) {
      replies.push(await make(key, name, token));
    }
    expect(replies.map(isHit)).toEqual([false, false, false]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3);
    expect(await rowsNamed(name)).toBe(3);
  });

  it('of a request that failed is free again', async () => {
    const [key, name] = [newId(), newId()];
    await service.sql`alter table api_keys rename column hint to away`;
    const failed = await make(key, name);
    await service.sql`alter table api_keys rename column away to hint`;
    expect(failed.status).toBe(500);
    expect(await keyRows(key)).toBe(0);
    const next = await make(key, name);
    expect([next.status, isHit(next)]).toEqual([201, false]);
  });

  it('of a request that was refused before it began is not kept', async () => {
    const key = newId();
    expect((await make(key, 'x'.repeat(300))).status).toBe(422);
    expect(await keyRows(key)).toBe(0);
    expect((await make(key, 'short')).status).toBe(201);
  });

  it.each(['', 'x'.repeat(256), 'two words', 'سلام'])('400: %j', async (key) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const reply = await call(service.baseUrl, 'POST /auth/api-keys', { token: shop.owner.token, body: {}, headers });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ details: { 'Idempotency-Key': 'must be 1 to 255 printable characters' } });
  });
});

describe('a crash', () => {
  it('leaves both the key and what it made, or neither', async () => {
    const [key, name] = [newId(), newId()];
    // Stops the transaction where the row is made and the key is taken, but nothing is committed.
    await service.sql`
      create function hold_here() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$`;
    await service.sql`
      create trigger hold_here after update on idempotency_keys for each row execute function hold_here()`;
    const [locked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const gate = inTransaction(service.sql, async (tx) => {
      await tx`select pg_advisory_xact_lock(4711)`;
      locked.resolve();
      await opened.promise;
    });
    await locked.promise;
    const cut = make(key, name);
    const waiting = () => service.sql<{ pid: number }[]>`
      select a.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.objid = 4711 and not l.granted and a.datname = current_database()`;
    await expect.poll(async () => (await waiting()).length).toBe(1);
    expect(await rowsNamed(name)).toBe(0);

    for (const { pid } of await waiting()) await service.sql`select pg_terminate_backend(${pid})`;
    expect((await cut).status).toBe(503);
    opened.resolve();
    await gate;
    await service.sql`drop function hold_here cascade`;
    expect([await rowsNamed(name), await keyRows(key)]).toEqual([0, 0]);
    expect((await make(key, name)).status).toBe(201);
    expect([await rowsNamed(name), await keyRows(key)]).toEqual([1, 1]);
  });
});

describe('old keys', () => {
  it('are forgotten', async () => {
    const key = newId();
    await make(key, 'x');
    expect(await forgetOldKeys(service.sql, new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await forgetOldKeys(service.sql, new Date(Date.now() + 60_000))).toBeGreaterThan(0);
    expect(await keyRows(key)).toBe(0);
  });
});
