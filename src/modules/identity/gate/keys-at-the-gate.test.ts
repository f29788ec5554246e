import { describe, expect, it } from 'vitest';
import { type Call, call, type ReplyBody, testOrganization, testService } from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { issueApiKey } from '../keys/issue-api-key.ts';
import { createKeyUses } from './key-uses.ts';

const clock = movableClock(new Date());
const service = await testService({}, { clock });
const shop = await testOrganization(service.sql);
const other = await testOrganization(service.sql);

const ask = (target: string, options: Call) => call(service.baseUrl, target, options);
const make = (body: object) => ask('POST /auth/api-keys', { token: shop.owner.token, body });
const listed = async (id: string): Promise<ReplyBody> =>
  (await ask('GET /auth/api-keys?limit=100', { token: shop.owner.token })).body.data.find(
    (row: ReplyBody) => row.id === id,
  );
describe('last_used_at', () => {
  it('shows when a key was let in, to the minute, and nothing of refused tries', async () => {
    const made = (await make({ grants: ['read:Orders'] })).body;
    await ask('GET /products', { apiKey: made.api_key });
    const first = clock.now().toISOString();
    await ask('GET /orders', { apiKey: made.api_key });
    await expect.poll(async () => (await listed(made.id)).last_used_at).toBe(first);
    clock.advanceMs(59_000);
    await ask('GET /orders', { apiKey: made.api_key });
    clock.advanceMs(1_000);
    const second = clock.now().toISOString();
    await ask('GET /orders', { apiKey: made.api_key });
    await expect.poll(async () => (await listed(made.id)).last_used_at).toBe(second);
  });

  it('makes no node forget anything, and is written in one statement for all keys', async () => {
    const keys = await Promise.all(
      Array.from({ length: 3 }, async (_, index) => {
        const { row } = await issueApiKey(service.sql, {
          organizationId: index === 0 ? other.id : shop.id,
          name: '',
          createdBy: null,
          now: clock.now(),
        });
        return { organizationId: row.organization_id, id: row.id };
      }),
    );
    const epoch = async () => (await service.sql`select value from identity_epoch`)[0]?.value;
    const before = await epoch();
    const uses = createKeyUses({ sql: service.sql, clock, log: service.platform.log });
    for (const key of keys) uses.note(key);
    // One that is gone by now is passed over.
    uses.note({ organizationId: shop.id, id: newId() });
    await uses.stop();
    const rows = await service.sql<{ at: Date; transaction: string }[]>`
      select used_at as at, xmin::text as transaction from api_key_uses
      where api_key_id = any(${keys.map(({ id }) => id)}::uuid[])`;
    expect(rows.map(({ at }) => at)).toEqual(Array(3).fill(clock.now()));
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1);
    expect(await epoch()).toBe(before);
  });

  it('never goes back, and goes with its key', async () => {
    const { row } = await issueApiKey(service.sql, {
      organizationId: shop.id,
      name: '',
      createdBy: null,
      now: clock.now(),
    });
    const at = async (moment: Date) => {
      const uses = createKeyUses({ sql: service.sql, clock: movableClock(moment), log: service.platform.log });
      uses.note({ organizationId: shop.id, id: row.id });
      await uses.stop();
      return (await listed(row.id)).last_used_at;
    };
    const now = clock.now();
    expect(await at(now)).toBe(now.toISOString());
    expect(await at(new Date(now.getTime() - 600_000))).toBe(now.toISOString());
    await service.sql`delete from api_keys where id = ${row.id}`;
    expect(await service.sql`select from api_key_uses where api_key_id = ${row.id}`).toHaveLength(0);
  });
});

describe('401 says what the route takes, and what came', () => {
  const BEARER = 'Authorization: Bearer <token>';
  const cases: [string, string, () => Promise<Call> | Call, string, string][] = [
    ['nothing', 'GET /orders', () => ({}), `${BEARER}, or X-API-Key: <key> with the grant read:Orders`, 'nothing'],
    ['nothing', 'GET /auth/credentials', () => ({}), BEARER, 'nothing'],
    ['nothing', `GET /jobs/${newId()}`, () => ({}), `${BEARER}, or X-API-Key: <key>`, 'nothing'],
    [
      'a key without grants',
      'GET /products',
      () => ({ apiKey: shop.apiKey }),
      `${BEARER}, or X-API-Key: <key> with the grant read:Products`,
      'an API key without grants',
    ],
    [
      'a key where none is taken',
      'GET /auth/api-keys',
      () => ({ apiKey: shop.apiKey }),
      BEARER,
      'an API key: this route takes none',
    ],
    [
      'a key as Bearer',
      'GET /skus',
      () => ({ token: shop.apiKey }),
      `${BEARER}, or X-API-Key: <key> with the grant read:Products`,
      'an API key as Bearer: send it as X-API-Key',
    ],
    [
      'a key as Bearer where none is taken',
      'GET /telemetry',
      () => ({ token: shop.apiKey }),
      BEARER,
      'an API key as Bearer: this route takes none',
    ],
    [
      'a token as X-API-Key',
      'GET /branches',
      () => ({ apiKey: shop.owner.token }),
      `${BEARER}, or X-API-Key: <key> with the grant read:Branches`,
      'a token as X-API-Key: send it as Authorization: Bearer',
    ],
    [
      'a JWT as X-API-Key',
      'POST /orders',
      async () => ({ apiKey: (await logIn()).access_token, body: {} }),
      `${BEARER}, or X-API-Key: <key> with the grant create:Orders`,
      'a token as X-API-Key: send it as Authorization: Bearer',
    ],
    [
      'a refresh token',
      'GET /auth/credentials',
      async () => ({ token: (await logIn()).refresh_token }),
      BEARER,
      'a refresh token: exchange it for an access token at POST /api/v1/auth/refresh',
    ],
    ['a made-up token', 'GET /leads', () => ({ token: 'nonsense' }), BEARER, 'a token that is not valid'],
    [
      'another scheme',
      'GET /telemetry',
      () => ({ headers: { authorization: 'Basic eDp5' } }),
      BEARER,
      'an Authorization header that is not "Bearer <token>"',
    ],
    [
      'a made-up key',
      'GET /customers',
      () => ({ apiKey: `dkk_${'x'.repeat(43)}` }),
      `${BEARER}, or X-API-Key: <key> with the grant read:Orders`,
      'an API key that is not valid',
    ],
    [
      'a JWT past its time that no node remembers',
      'GET /telemetry',
      async () => {
        const { access_token: token } = await logIn();
        clock.advanceMs(3_601_000);
        return { token };
      },
      BEARER,
      'a token that has expired',
    ],
  ];
  const logIn = async () =>
    (await ask('POST /auth/login', { body: { email: shop.owner.email, password: shop.owner.password } })).body;

  it.each(cases)('%s: %s', async (_what, target, caller, takes, came) => {
    const reply = await ask(target, await caller());
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    if (target === 'GET /leads') expect(reply.body.message).toBe('Valid API key required');
    else expect(reply.body).toEqual({ code: 401, error: 'Valid API key required', details: { takes, came } });
  });
});
