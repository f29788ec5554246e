import { beforeAll, describe, expect, test } from 'vitest';
import { call, testAccount, testOrganization, testShop } from '../../../../test/harness/index.ts';
import { publishedAnswers } from '../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { localClock } from '../opening.ts';
import { parseWorkingHours } from '../working-hours.ts';
import { isOpenOn } from './closed-days.ts';

// A Wednesday, 10:00 in Riyadh.
const NOW = new Date('2026-11-18T07:00:00.000Z');
const clock = movableClock(NOW);
const { service, shop } = await testShop({}, { clock });
const check = await publishedAnswers(service.baseUrl);
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const daily = (open: string, close: string) => Object.fromEntries(DAYS.map((day) => [day, { open, close }]));
const EID = { from: '2027-03-09', until: '2027-03-12', reason_en: 'Eid al-Fitr', reason_ar: 'عيد الفطر' };

async function ask(target: string, body?: unknown, { token = shop.owner.token, headers = {} } = {}) {
  const reply = await call(service.baseUrl, target, { token, body, headers });
  expect(check(target, reply)).toEqual([]);
  return reply;
}
async function branch(fields: object = {}): Promise<string> {
  const iv_id = `B-${newId().slice(-12)}`;
  expect((await ask('POST /branches', { iv_id, working_hours: daily('09:00', '23:00'), ...fields })).status).toBe(201);
  return iv_id;
}
const add = (ivId: string, body: object) => ask(`POST /branches/${ivId}/closures`, body);
const closuresOf = async (ivId: string) => (await ask(`GET /branches/${ivId}/closures`)).body.data;
const isOpen = async (ivId: string): Promise<boolean> => (await ask(`GET /branches/${ivId}`)).body.is_open;

describe('closures of a branch', () => {
  test('are added, listed by start, and removed', async () => {
    const ivId = await branch();
    const made = await add(ivId, EID);
    expect([made.status, made.body]).toMatchObject([201, { success: true, message: 'Closure added', data: EID }]);
    await add(ivId, { from: '2026-12-01', until: '2026-12-01' });
    expect((await closuresOf(ivId)).map(({ from }: { from: string }) => from)).toEqual(['2026-12-01', '2027-03-09']);
    const { id } = made.body.data;
    expect((await ask(`DELETE /branches/${ivId}/closures/${id}`)).status).toBe(204);
    expect(await closuresOf(ivId)).toMatchObject([{ from: '2026-12-01', until: '2026-12-01', reason_en: '' }]);
    expect((await ask(`DELETE /branches/${ivId}/closures/${id}`)).body.error).toBe('Closure not found');
    expect((await ask(`DELETE /branches/${ivId}/closures/nonsense`)).status).toBe(404);
    const entries = await service.sql`
      select action, changed_fields from audit_entries where organization_id = ${shop.id} and 'closures' = any(changed_fields)`;
    expect(entries).toHaveLength(3);
  });

  test('are created once for an idempotency key', async () => {
    const ivId = await branch();
    const headers = { 'idempotency-key': newId() };
    const first = await ask(`POST /branches/${ivId}/closures`, EID, { headers });
    expect((await ask(`POST /branches/${ivId}/closures`, EID, { headers })).body).toEqual(first.body);
    expect(await closuresOf(ivId)).toHaveLength(1);
  });

  test('go with their branch', async () => {
    const ivId = await branch();
    await add(ivId, EID);
    expect((await ask(`DELETE /branches/${ivId}?force=true`)).status).toBe(204);
    expect((await ask(`GET /branches/${ivId}/closures`)).status).toBe(404);
  });

  test.each<[object, object]>([
    [{ from: '2026-11-16', until: '2026-11-17' }, { until: 'must not be in the past' }],
    [{ from: '2026-12-02', until: '2026-12-01' }, { until: 'must not be before from' }],
    [{ from: '2026-12-01', until: '2027-12-02' }, { until: 'at most 366 days in one closure' }],
    [{ from: '9999-12-01', until: '9999-12-02' }, { until: 'must be before the year 9999' }],
    [{ from: '2027-02-30', until: '2027-03-01' }, { from: expect.stringContaining('must be a date such as') }],
    [{ from: '0000-01-01', until: '9999-12-31' }, { until: expect.any(String) }],
    [{ from: '2027-01-01' }, { until: 'is required' }],
    [{ ...EID, reason_en: 'x'.repeat(256) }, { reason_en: 'must have at most 255 characters' }],
  ])('returns 400 by field for %j', async (body, details) => {
    const reply = await add(await branch(), body);
    expect([reply.status, reply.body.details]).toEqual([400, details]);
  });

  test('accepts a closure of 366 days that began before today', async () => {
    expect((await add(await branch(), { from: '2026-11-18', until: '2027-11-18' })).status).toBe(201);
    expect((await add(await branch(), { from: '2026-11-10', until: '2026-11-18' })).status).toBe(201);
  });

  test('returns 409 when two overlap on one day, and beyond 100', async () => {
    const ivId = await branch();
    await add(ivId, EID);
    for (const days of [{ from: EID.until, until: '2027-03-20' }, { from: '2027-03-01', until: EID.from }, EID]) {
      const reply = await add(ivId, days);
      expect([reply.status, reply.body]).toMatchObject([
        409,
        { error: 'Closures overlap', details: { branch_iv_ids: ivId } },
      ]);
    }
    expect((await add(ivId, { from: '2027-03-13', until: '2027-03-13' })).status).toBe(201);
    await service.sql`
      insert into branch_closures (organization_id, branch_id, id, starts_on, ends_on, created)
      select ${shop.id}, b.id, gen_random_uuid(), '2027-05-01'::date + 2 * n, '2027-05-01'::date + 2 * n, now()
      from branches b, generate_series(1, 98) n where b.organization_id = ${shop.id} and b.iv_id = ${ivId}`;
    expect((await add(ivId, { from: '2026-12-01', until: '2026-12-01' })).body.error).toBe('Too many closures');
    expect((await ask(`DELETE /branches/${ivId}?force=true`)).status).toBe(204);
  });

  test('are read and written by an account of the branch, are not found by one of another, and need the grant', async () => {
    const [own, other] = [await branch(), await branch()];
    const [row] = await service.sql<{ id: string }[]>`select id from branches where iv_id = ${own}`;
    const confined = await testAccount(service.sql, shop.id, 'member', { branchId: row?.id ?? '' });
    const as = { token: confined.token };
    expect((await ask(`POST /branches/${own}/closures`, EID, as)).status).toBe(201);
    expect((await ask(`POST /branches/${other}/closures`, EID, as)).status).toBe(404);
    expect((await ask(`GET /branches/${other}/closures`, undefined, as)).status).toBe(404);
    expect((await ask('POST /branches/closures', { ...EID, all: true }, as)).status).toBe(403);
    const viewer = { token: (await testAccount(service.sql, shop.id, 'viewer')).token };
    expect((await ask(`GET /branches/${own}/closures`, undefined, viewer)).status).toBe(200);
    expect((await ask(`POST /branches/${own}/closures`, EID, viewer)).status).toBe(403);
    const foreign = { token: (await testOrganization(service.sql)).owner.token };
    expect((await ask(`GET /branches/${own}/closures`, undefined, foreign)).status).toBe(404);
    expect((await ask(`POST /branches/${own}/closures`, EID, foreign)).status).toBe(404);
  });
});

describe('closures of several branches', () => {
  test('are added to the named ones, or to all, and to none when one has a closure on these days', async () => {
    const [first, second] = [await branch(), await branch()];
    const some = await ask('POST /branches/closures', { ...EID, branch_iv_ids: [first, second] });
    expect([some.status, some.body.data]).toEqual([201, { created: 2 }]);
    const day = { from: '2028-02-22', until: '2028-02-22', reason_en: 'Founding Day' };
    expect((await add(second, day)).status).toBe(201);
    const refused = await ask('POST /branches/closures', { ...day, all: true });
    expect([refused.status, refused.body.details]).toEqual([409, { branch_iv_ids: second }]);
    expect(await closuresOf(first)).toHaveLength(1);
    const all = await ask('POST /branches/closures', { from: '2028-09-23', until: '2028-09-23', all: true });
    const { total_count } = (await ask('GET /branches?limit=1')).body;
    expect(all.body.data).toEqual({ created: total_count });
  });

  test.each<[object, object]>([
    [{}, { branch_iv_ids: 'is required, or all: true, but not both' }],
    [{ all: true, branch_iv_ids: ['X'] }, { branch_iv_ids: 'is required, or all: true, but not both' }],
    [{ branch_iv_ids: ['NOWHERE'] }, { 'branch_iv_ids.0': 'is no branch' }],
    [{ branch_iv_ids: [] }, { branch_iv_ids: expect.any(String) }],
  ])('returns 400 for %j', async (which, details) => {
    const reply = await ask('POST /branches/closures', { ...EID, ...which });
    expect([reply.status, reply.body.details]).toEqual([400, details]);
  });
});

describe('is_open and open_at', () => {
  const NIGHT = daily('20:00', '02:00');
  let ivId: string;
  beforeAll(async () => {
    ivId = await branch({ working_hours: NIGHT });
    await add(ivId, { from: '2026-11-20', until: '2026-11-21' });
  });

  test('follow a closure, and the hours again once it is removed', async () => {
    const today = await branch();
    expect(await isOpen(today)).toBe(true);
    const { id } = (await add(today, { from: '2026-11-18', until: '2026-11-18' })).body.data;
    expect(await isOpen(today)).toBe(false);
    await ask(`DELETE /branches/${today}/closures/${id}`);
    expect(await isOpen(today)).toBe(true);
  });

  test.each([
    ['2026-11-20T01:59:00+03:00', true],
    ['2026-11-20T20:00:00+03:00', false],
    ['2026-11-21T01:00:00+03:00', false],
    ['2026-11-22T01:00:00+03:00', false],
    ['2026-11-22T20:00:00+03:00', true],
  ])('agree on hours past midnight: %s is %s', async (instant, expected) => {
    const { body } = await ask(`GET /branches?limit=100&open_at=${encodeURIComponent(instant)}`);
    expect(body.data.some((found: { iv_id: string }) => found.iv_id === ivId)).toBe(expected);
    const parsed = parseWorkingHours(NIGHT);
    const periods = parsed.ok ? parsed.periods : [];
    const local = localClock(new Date(instant), 'Asia/Riyadh');
    expect(isOpenOn(periods, '{[2026-11-20,2026-11-22)}', local)).toBe(expected);
  });

  test('go by the zone of the branch', async () => {
    const kiritimati = await branch({ working_hours: daily('00:00', '24:00'), time_zone: 'Pacific/Kiritimati' });
    // There it is the 18th, 21:00. The 17th is past, tomorrow begins in three hours.
    expect((await add(kiritimati, { from: '2026-11-17', until: '2026-11-17' })).status).toBe(400);
    await add(kiritimati, { from: '2026-11-19', until: '2026-11-19' });
    expect(await isOpen(kiritimati)).toBe(true);
    clock.advanceMs(3 * 3_600_000);
    expect(await isOpen(kiritimati)).toBe(false);
  });
});
