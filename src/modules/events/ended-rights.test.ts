import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  TEST_SECRET,
  type TestOrganization,
  type TestService,
  testAccount,
  testDatabase,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { run } from '../../../test/start/service-process.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { issueApiKey, issueSessionToken } from '../identity/index.ts';
import { FEED_SETTINGS } from './settings.ts';
import { writeChanges } from './testing/write-changes.ts';

/** Neither an event nor a heartbeat comes along: only the change itself, or the regular verification, can end a request. */
const HEARTBEAT_MS = FEED_SETTINGS.heartbeatMs;
const NEVER_MS = 24 * 3_600_000;
const DAY_MS = 86_400_000;
const clock = movableClock(new Date());
let service: TestService;
let otherNode: TestService;
let shop: TestOrganization;
let otherOwner: { token: string };

beforeAll(async () => {
  FEED_SETTINGS.heartbeatMs = NEVER_MS;
  const database = await testDatabase();
  service = await testService({}, { clock, database });
  otherNode = await testService({ DUKKAN_ROLES: 'api' }, { clock, database });
  otherOwner = (await testOrganization(service.sql)).owner;
});
afterAll(() => {
  FEED_SETTINGS.heartbeatMs = HEARTBEAT_MS;
});
beforeEach(async () => {
  shop = await testOrganization(service.sql);
});

type Caller = { headers: Record<string, string>; userId: string; password: string; token: string; keyId: string };

async function newMember(): Promise<Caller> {
  const { userId, password } = await testAccount(service.sql, shop.id, 'member');
  const now = clock.now();
  const session = { userId, organizationId: shop.id, name: 'test', expiresInDays: 1, now };
  const { token } = await issueSessionToken(service.sql, session);
  return { headers: { authorization: `Bearer ${token}` }, userId, password, token, keyId: '' };
}

async function newApiKey(): Promise<Caller> {
  const now = clock.now();
  const { row, apiKey } = await issueApiKey(service.sql, {
    organizationId: shop.id,
    name: 'feed',
    grants: ['read:Orders'],
    expiresAt: new Date(now.getTime() + DAY_MS),
    createdBy: shop.owner.userId,
    now,
  });
  return { headers: { 'x-api-key': apiKey }, userId: '', password: '', token: '', keyId: row.id };
}

async function openStream({ headers }: Caller): Promise<{ text(): string; ended: Promise<void> }> {
  const response = await fetch(`${service.baseUrl}/api/v1/orders/changes/stream?cursor=now`, { headers });
  let text = '';
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  };
  return { text: () => text, ended: read() };
}

const openPolls = async () =>
  (await call(service.baseUrl, 'GET /telemetry', { token: otherOwner.token })).body.sections.feed.polls;

/** `dukkan org suspend` as an operator runs it: a process of its own that knows nothing of the service. */
async function suspendFromCommandLine(): Promise<void> {
  const { code, err } = await run(['org', 'suspend', shop.id], {
    DATABASE_URL: service.databaseUrl,
    DUKKAN_SECRET: TEST_SECRET,
    DUKKAN_DATA_DIR: service.dataDir,
  }).ended;
  expect([code, err]).toEqual([0, '']);
}

type Case = [string, number, () => Promise<Caller>, (caller: Caller) => Promise<unknown>];

const fromCommandLine: Case = [
  'the organization is suspended from the command line',
  402,
  newMember,
  suspendFromCommandLine,
];
/** All but the last two are made in the database by others: another node, or a connection of the test. */
const cases: Case[] = [
  [
    'the organization is suspended',
    402,
    newMember,
    () => service.sql`update organizations set suspended_at = ${clock.now()} where id = ${shop.id}`,
  ],
  [
    'the token is revoked',
    401,
    newMember,
    ({ userId }) => service.sql`update session_tokens set revoked_at = ${clock.now()} where user_id = ${userId}`,
  ],
  [
    'the password is changed on another node',
    401,
    newMember,
    async ({ token, password }) => {
      const body = { current_password: password, new_password: 'another password for tests' };
      expect((await call(otherNode.baseUrl, 'POST /auth/password', { token, body })).status).toBe(204);
    },
  ],
  [
    'the member is removed',
    403,
    newMember,
    ({ userId }) => service.sql`delete from memberships where user_id = ${userId} and organization_id = ${shop.id}`,
  ],
  [
    'the account is confined to a branch',
    403,
    newMember,
    ({ userId }) => service.sql`update memberships set branch_id = ${newId()} where user_id = ${userId}`,
  ],
  [
    'the API key is revoked',
    401,
    newApiKey,
    ({ keyId }) => service.sql`
      update api_keys set revoked_at = ${clock.now()} where id = ${keyId} and organization_id = ${shop.id}`,
  ],
  ['the API key expires', 401, newApiKey, async () => clock.advanceMs(2 * DAY_MS)],
  ['the token expires', 401, newMember, async () => clock.advanceMs(2 * DAY_MS)],
];

describe('an open request ends by itself when', () => {
  it.each([fromCommandLine, ...cases])('%s: a stream says %i', async (_what, status, newCaller, endRights) => {
    const caller = await newCaller();
    const stream = await openStream(caller);
    await expect.poll(stream.text).toContain(': connected');
    await endRights(caller);
    await stream.ended;
    expect(stream.text()).toMatch(new RegExp(`: closed ${status} [^\n]+\n\n$`));
  });

  it.each(cases)('%s: a waiting poll is answered %i', async (_what, status, newCaller, endRights) => {
    const caller = await newCaller();
    const poll = call(service.baseUrl, 'GET /orders/changes?cursor=now&wait=30', { headers: caller.headers });
    await expect.poll(openPolls).toBe(1);
    await endRights(caller);
    expect((await poll).status).toBe(status);
  });
});

describe('an event that is written after the rights have ended', () => {
  it('is not delivered, although it is written at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const caller = await newMember();
      const stream = await openStream(caller);
      const [before = ''] = await writeChanges(service.sql, shop.id, [{}]);
      await expect.poll(stream.text).toContain(before);
      await service.sql`delete from memberships where user_id = ${caller.userId} and organization_id = ${shop.id}`;
      const [after = ''] = await writeChanges(service.sql, shop.id, [{}]);
      await stream.ended;
      expect(stream.text()).toContain(': closed 403');
      expect(stream.text()).not.toContain(after);
    }
  });
});

it('keeps other requests of the organization open', async () => {
  const [leaving, staying] = [await newMember(), await newMember()];
  const [ends, goesOn] = [await openStream(leaving), await openStream(staying)];
  await service.sql`delete from memberships where user_id = ${leaving.userId} and organization_id = ${shop.id}`;
  await ends.ended;
  const [orderId = ''] = await writeChanges(service.sql, shop.id, [{}]);
  await expect.poll(goesOn.text).toContain(orderId);
  expect(goesOn.text()).not.toContain(': closed');
});
