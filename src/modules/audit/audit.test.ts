import { beforeAll, describe, expect, it } from 'vitest';
import { testAccount, testOrganization, testShop } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { type Actor, type AuditEntry, forgetOldEntries, recordAudit, SYSTEM_ACTOR } from './index.ts';

const { service, shop, ask } = await testShop();
const { sql } = service;
const DAY_MS = 86_400_000;

type Row = { id: string; at: string; actor: { id: string }; action: string; resource: string; resource_id: string };
type Listed = { data: Row[]; count: number; total_count: number; has_next: boolean };
const list = (query = '', token = shop.owner.token) => ask<Listed>(`GET /audit${query}`, { token });

const record = (organizationId: string, actor: Actor, at: Date, ...entries: AuditEntry[]) =>
  inTransaction(sql, (tx) => recordAudit(tx, organizationId, actor, entries, at));

const person = (id: string): Actor => ({ kind: 'user', id, name: `${id}@tests.example`, ip: '', requestId: '' });

describe('GET /audit', () => {
  const start = Date.now() - 30 * DAY_MS;
  const RESOURCES = ['Branches', 'Products', 'Settings'];
  const ACTIONS = ['create', 'update', 'revoke'];
  const ACTORS = ['anna', 'badr', 'system'];
  const expected: Row[] = [];
  let token: string;

  /** Every third moment holds several entries at once, and no two of the words go together evenly. */
  beforeAll(async () => {
    const { id, owner } = await testOrganization(sql);
    token = owner.token;
    for (let moment = 0; moment < 70; moment += 1) {
      const at = new Date(start + moment * 60_000);
      const actor = person(ACTORS[(moment * moment) % 3] ?? '');
      const entries = Array.from({ length: moment % 3 === 0 ? 5 : 1 }, (_, index) => ({
        action: ACTIONS[(moment + index) % (moment % 10 === 0 ? 3 : 2)] ?? '',
        resource: RESOURCES[(moment * 7 + index) % (moment % 9 === 0 ? 3 : 2)] ?? '',
        resourceId: `record-${(moment + index) % 11}`,
      }));
      await record(id, actor, at, ...entries);
    }
    const rows = await sql<(Omit<Row, 'at' | 'actor'> & { at: Date; actor_id: string })[]>`
      select id, at, actor_id, action, resource, resource_id from audit_entries
      where organization_id = ${id} order by at desc, id desc`;
    expected.push(
      ...rows.map(({ actor_id, at, ...row }) => ({ ...row, at: at.toISOString(), actor: { id: actor_id } })),
    );
    expect(expected.length).toBeGreaterThan(150);
  });

  const moment = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
  const FILTERS: Record<string, string>[] = [
    {},
    ...RESOURCES.map((resource) => ({ resource })),
    ...ACTIONS.map((action) => ({ action })),
    { resource: 'Settings', action: 'revoke' },
    { actor: 'badr' },
    { actor: 'system', resource: 'Products' },
    { actor: 'anna', action: 'update', resource: 'Branches' },
    { resource_id: 'record-4' },
    { resource_id: 'record-4', actor: 'anna' },
    { from: moment(30) },
    { to: moment(30) },
    { from: moment(12), to: moment(48), resource: 'Products' },
    { from: moment(12), to: moment(48), actor: 'badr', action: 'create' },
    { from: moment(48), to: moment(12) },
    { actor: 'nobody' },
    { action: 'never' },
    { resource: 'Payments' },
  ];

  it.each(FILTERS)('200 with every match once, newest first, and the exact total: %j', async (filter) => {
    const matches = expected.filter(
      (row) =>
        (filter.actor ?? row.actor.id) === row.actor.id &&
        (filter.action ?? row.action) === row.action &&
        (filter.resource ?? row.resource) === row.resource &&
        (filter.resource_id ?? row.resource_id) === row.resource_id &&
        (filter.from ?? row.at) <= row.at &&
        (filter.to ?? row.at) >= row.at,
    );
    const seen: string[] = [];
    for (let page = 1; page === 1 || seen.length < matches.length; page += 1) {
      const query = new URLSearchParams({ ...filter, page: String(page), limit: '37' });
      const { status, body } = await list(`?${query}`, token);
      expect([status, body.total_count]).toEqual([200, matches.length]);
      expect(body.has_next).toBe(page * 37 < matches.length);
      seen.push(...body.data.map((row) => row.id));
      if (body.count === 0) break;
    }
    expect(seen).toEqual(matches.map((row) => row.id));
    const past = await list(`?${new URLSearchParams({ ...filter, page: '99' })}`, token);
    expect([past.status, past.body.data, past.body.total_count]).toEqual([200, [], matches.length]);
  });

  it('returns the list envelope, each row with actor, change, address and request id', async () => {
    const created = await ask('POST /brands', {
      body: { name_en: 'Almarai' },
      headers: { 'x-request-id': 'my-own-request' },
    });
    const { body } = await list('?limit=1');
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          actor: { kind: 'user', id: shop.owner.userId, name: shop.owner.email },
          action: 'create',
          resource: 'Products',
          resource_id: created.body.data.id,
          changed_fields: [],
          ip: expect.stringMatching(/127\.0\.0\.1$|::1$/),
          request_id: created.headers.get('x-request-id'),
        },
      ],
      count: 1,
      total_count: 1,
      page: 1,
      limit: 1,
      has_next: false,
      meta: {},
    });
  });

  it('counts again after a new entry', async () => {
    const { id, owner } = await testOrganization(sql);
    const total = async () => (await list('?actor=carla', owner.token)).body.total_count;
    const entry = { action: 'update', resource: 'Products', resourceId: 'p' };
    expect(await total()).toBe(0);
    await record(id, person('carla'), new Date(), entry);
    expect([await total(), await total()]).toEqual([1, 1]);
    await record(id, person('carla'), new Date(), entry, entry);
    expect(await total()).toBe(3);
  });

  it('has exact totals above the quick-count limit, and a correct last page', async () => {
    const { id, owner } = await testOrganization(sql);
    const many = Array.from({ length: 5_403 }, (_, number) => ({
      action: 'update',
      resource: 'Products',
      resourceId: String(number),
    }));
    await record(id, person('dana'), new Date(), ...many);
    await record(id, person('emad'), new Date(), ...many.slice(0, 3));
    const last = await list('?actor=dana&limit=100&page=55', owner.token);
    expect([last.body.total_count, last.body.count, last.body.has_next]).toEqual([5_403, 3, false]);
    expect(last.body.data.map((row) => row.resource_id)).toEqual(['2', '1', '0']);
    expect((await list('?page=28&limit=100', owner.token)).body.count).toBe(100);
  });

  it.each([
    ['resource=Nonsense', 'resource'],
    ['resource=products', 'resource'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30T00:00:00Z', 'to'],
    ['from=2026-02-03', 'from'],
    ['actor=', 'actor'],
    ['action=', 'action'],
    [`resource_id=${'x'.repeat(256)}`, 'resource_id'],
    ['page=0', 'page'],
    ['limit=101', 'limit'],
  ])('400 for %s', async (query, field) => {
    const { status, body } = await ask(`GET /audit?${query}`);
    expect([status, Object.keys(body.details)]).toEqual([400, [field]]);
  });

  it.each(['actor=%00', 'action=a%00b', 'resource_id=%ED%A0%80', 'resource=%00'])('never 500: %s', async (query) => {
    expect((await ask(`GET /audit?${query}`)).status).toBeLessThan(500);
  });

  it('401 without a token, 403 without the grant, 403 confined to a branch', async () => {
    const branch = await ask('POST /branches', { body: { iv_id: 'CONFINED' } });
    const confined = await testAccount(sql, shop.id, 'member', { branchId: branch.body.data.id });
    const withheld = await testAccount(sql, shop.id, 'member', { withheld: ['read:Settings'] });
    const viewer = await testAccount(sql, shop.id, 'viewer');
    expect((await list('', 'none')).status).toBe(401);
    expect((await list('', confined.token)).status).toBe(403);
    expect((await list('', withheld.token)).status).toBe(403);
    expect((await list('', viewer.token)).status).toBe(200);
  });
});

describe('the table', () => {
  it.each([
    'update audit_entries set actor_name = $1',
    "update audit_entries set changed_fields = '{}' where resource_id = $1",
    'delete from audit_entries where resource_id = $1',
  ])('rejects this statement on an entry within the retention period: %s', async (statement) => {
    const resourceId = newId();
    await record(shop.id, SYSTEM_ACTOR, new Date(), { action: 'update', resource: 'Products', resourceId });
    await expect(sql.unsafe(statement, [resourceId])).rejects.toThrow('audit entries are never changed');
    const [entry] = await sql`select actor_name from audit_entries where resource_id = ${resourceId}`;
    expect(entry).toEqual({ actor_name: 'dukkan' });
  });

  it('cannot be truncated', async () => {
    await record(shop.id, SYSTEM_ACTOR, new Date(), { action: 'update', resource: 'Products', resourceId: 'r' });
    await expect(sql.unsafe('truncate audit_entries')).rejects.toThrow('audit entries are never changed');
    await expect(sql.unsafe('delete from audit_entries')).rejects.toThrow('audit entries are never changed');
    expect((await list()).body.total_count).toBeGreaterThan(0);
  });
});

describe('after 400 days', () => {
  const clock = movableClock(new Date());
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const forget = () => forgetOldEntries({ sql, clock }, new AbortController().signal);

  it('deletes all expired entries, and totals stay exact', async () => {
    const [one, other] = [await testOrganization(sql), await testOrganization(sql)];
    const entries = (count: number, action: string) =>
      Array.from({ length: count }, () => ({ action, resource: 'Products', resourceId: 'p' }));
    await record(one.id, person('fahd'), ago(401), ...entries(2_100, 'update'), ...entries(40, 'create'));
    await record(one.id, person('fahd'), ago(399), ...entries(7, 'update'));
    await record(one.id, person('ghada'), ago(1), ...entries(2, 'create'));
    await record(other.id, person('fahd'), ago(500), ...entries(3, 'delete'));
    await record(other.id, person('fahd'), ago(10), ...entries(1, 'delete'));
    const totals = async (token: string, ...queries: string[]) => {
      const all: number[] = [];
      for (const query of queries) all.push((await list(query, token)).body.total_count);
      return all;
    };
    const asked = ['', '?action=update', '?action=create', '?actor=fahd', '?resource=Products'];
    expect(await totals(one.owner.token, ...asked)).toEqual([2_149, 2_107, 42, 2_147, 2_149]);
    await forget();
    expect(await totals(one.owner.token, ...asked)).toEqual([9, 7, 2, 7, 9]);
    expect((await list('', one.owner.token)).body.data).toHaveLength(9);
    expect(await totals(other.owner.token, '', '?action=delete')).toEqual([1, 1]);
    await forget();
    expect(await totals(one.owner.token, '')).toEqual([9]);
  });
});
