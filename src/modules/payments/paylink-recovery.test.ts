import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { type ReplyBody, TEST_SECRET } from '../../../test/harness/index.ts';
import { startProcess } from '../../../test/start/service-process.ts';
import { inTransaction, migrate } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import { openBnplShop, paylinks, SLUGS } from './testing/bnpl-shop.ts';

const { at, made, agree, capture } = await openBnplShop();
const { sql } = at.service;
afterEach(() => {
  at.vendors.clearFaults();
  at.vendors.forgetCalls();
});
afterAll(() => at.vendors.close());

const operationsOf = (id: string) => sql`select id, attempts from external_operations where subject_id = ${id}`;
const capturesOf = (row: ReplyBody): ReplyBody[] =>
  at.vendors.shop(SLUGS.tabby).payments.get(row.provider_reference)?.captures;
const captureCalls = () => at.vendors.calls(SLUGS.tabby).filter(({ path }) => path.endsWith('/captures'));
const stateOf = async (row: ReplyBody) => {
  const { body } = await at.ask(`GET ${paylinks('tabby')}/${row.id}`);
  return [body.status, body.captured_amount];
};

/** Authorized, as far as we know too. */
async function authorized(amount: number): Promise<ReplyBody> {
  const row = await made('tabby', { amount, currency: 'SAR' });
  agree('tabby', row);
  await sql`update paylinks set status = 'authorized' where id = ${row.id}`;
  return row;
}

/** The answer gets lost, and the provider cannot be asked either. */
async function leaveUnclear(row: ReplyBody, headers: Record<string, string>): Promise<void> {
  at.vendors.addFault({ vendor: SLUGS.tabby, method: 'POST', path: /captures/, kind: 'lose', times: 2 });
  at.vendors.addFault({ vendor: SLUGS.tabby, method: 'GET', path: /payments/, kind: 'fail' });
  expect((await capture('tabby', row, { amount: 30 }, headers)).status).toBe(502);
}

test('a capture whose process was killed before the write is settled, and the provider has captured once', async () => {
  const row = await authorized(90);
  const doomed = await startProcess({
    ...at.vendors.settings,
    DATABASE_URL: at.service.databaseUrl,
    DUKKAN_SECRET: TEST_SECRET,
    DUKKAN_DATA_DIR: at.service.dataDir,
    DUKKAN_ROLES: 'api',
    METRICS_PORT: 'off',
    DUKKAN_DEMO: 'false',
  });
  const letGo = at.vendors.holdBack(SLUGS.tabby);
  const cut = fetch(`${doomed.baseUrl}/api/v1${paylinks('tabby')}/${row.id}/capture`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${at.shop.owner.token}`,
      'content-type': 'application/json',
      'idempotency-key': 'killed',
    },
    body: JSON.stringify({ amount: 30 }),
  }).catch(() => undefined);
  await expect.poll(() => captureCalls().length).toBe(1);
  // The write waits for this lock, so the process is killed with the answer in its hands.
  await inTransaction(sql, async (tx) => {
    await tx`select from paylinks where id = ${row.id} for update`;
    letGo();
    const waiting = async () =>
      (await tx`select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`).length;
    await expect.poll(waiting).toBe(1);
    await doomed.stop('SIGKILL');
  });
  await cut;
  expect(capturesOf(row)).toHaveLength(1);
  expect(await stateOf(row)).toEqual(['authorized', 0]);
  const [operation] = await operationsOf(row.id);
  expect(operation?.id).toBe(capturesOf(row)[0]?.reference_id);
  // Its lease ends.
  await sql`update external_operations set lease_until = now() - interval '1 second' where subject_id = ${row.id}`;
  await expect.poll(() => stateOf(row)).toEqual(['authorized', 30]);
  expect(await operationsOf(row.id)).toHaveLength(0);
  const kept = await sql`select id, amount from paylink_captures where paylink_id = ${row.id}`;
  expect(kept).toEqual([{ id: operation?.id, amount: 30 }]);
  const repeat = await capture('tabby', row, { amount: 30 }, { 'idempotency-key': 'killed' });
  expect([repeat.status, repeat.body.data?.captured_amount], repeat.text).toEqual([200, 30]);
  expect([captureCalls().length, capturesOf(row).length]).toEqual([1, 1]);
});

describe('a capture with an unknown outcome', () => {
  test('is repeated under the same reference when the request is repeated', async () => {
    const row = await authorized(90);
    const headers = { 'idempotency-key': 'repeated' };
    await leaveUnclear(row, headers);
    const [left] = await operationsOf(row.id);
    at.vendors.clearFaults();
    const repeat = await capture('tabby', row, { amount: 30 }, headers);
    expect([repeat.status, repeat.body.data?.captured_amount], repeat.text).toEqual([200, 30]);
    expect(capturesOf(row).map(({ reference_id }) => reference_id)).toEqual([left?.id]);
    expect(await operationsOf(row.id)).toHaveLength(0);
  });

  test('stays unsettled while another request cannot settle it either, and its repeat succeeds', async () => {
    const row = await authorized(90);
    const headers = { 'idempotency-key': 'still-unknown' };
    await leaveUnclear(row, headers);
    const [left] = await operationsOf(row.id);
    const other = await capture('tabby', row, { amount: 20 });
    expect([other.status, other.body.error]).toEqual([502, 'Vendor unavailable']);
    const [after] = await operationsOf(row.id);
    expect(after?.id).toBe(left?.id);
    expect(after?.attempts).toBeGreaterThan(left?.attempts);
    at.vendors.clearFaults();
    const repeat = await capture('tabby', row, { amount: 30 }, headers);
    expect([repeat.status, repeat.body.data?.captured_amount], repeat.text).toEqual([200, 30]);
    expect(capturesOf(row)).toHaveLength(1);
  });
});

test('work under way before the upgrade is an operation after it', async () => {
  const database = await databaseBefore('0035');
  const organizationId = await createOrganization(database.sql, { nameEn: 'Shop', nameAr: 'متجر', now: new Date() });
  const [capturing, creating, idle, reference] = [newId(), newId(), newId(), newId()];
  const until = new Date('2026-01-02T03:04:05Z');
  await database.sql`
    insert into paylinks ${database.sql(
      [
        { id: capturing, errand: 'capture', errand_id: reference, errand_amount: 12.5, errand_key: 'key' },
        { id: creating, errand: 'create', errand_id: creating, errand_amount: null, errand_key: null },
        { id: idle, errand: null, errand_id: null, errand_amount: null, errand_key: null },
      ].map((row) => ({
        ...row,
        organization_id: organizationId,
        provider: 'tabby',
        organization_app_id: newId(),
        amount: 90,
        currency: 'SAR',
        is_sandbox: false,
        errand_until: row.errand === null ? null : until,
        created: until,
        updated: until,
      })),
    )}`;
  expect(await migrate(database.sql, MIGRATIONS_FOLDER)).toContain('0035_paylink_operations.sql');
  const moved = await database.sql`
    select kind, subject_id, id, input, attempts, lease_until from external_operations order by subject_id`;
  const common = { kind: 'paylink', attempts: 1, lease_until: until };
  const sentAt = '2026-01-02T03:04:05+00:00';
  expect(moved).toEqual([
    {
      ...common,
      subject_id: capturing,
      id: reference,
      input: { action: 'capture', amount: 12.5, capturedBefore: 0, requestKey: 'key', sentAt },
    },
    { ...common, subject_id: creating, id: creating, input: { action: 'create' } },
  ]);
});
