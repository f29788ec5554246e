import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call, testAccount } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { secretBox } from '../../../platform/secret-box.ts';
import { TRIES_PER_ADDRESS } from '../passwords/wrong-passwords.ts';
import { hasSecondFactor } from '../sql/second-factors.ts';
import { codeOf, withSecondFactor } from '../testing/second-factor.ts';
import { STEP_MS, secondFactorService } from '../testing/second-factor-service.ts';
import { MAX_TRIES, TRIES_WINDOW_MS, verifySecondFactor } from './verify-second-factor.ts';

const { service, shop, clock, at, post, logIn, confirmed, nextCode } = await secondFactorService();
const enrol = (more: Parameters<typeof call>[2] = {}) =>
  post('/auth/totp/enrol', { password: at.person.password }, more);
const SECOND_FACTOR_REQUIRED = { code: 401, error: 'Second factor required', details: { totp: true } };
const WRONG_CODE = { ...SECOND_FACTOR_REQUIRED, details: { totp: true, code: 'is wrong or was used before' } };

describe('enrolling', () => {
  it('returns a secret, stored encrypted; not required before it is confirmed, and replaced by enrolling again', async () => {
    const first = await enrol();
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_url: `otpauth://totp/Dukkan:${encodeURIComponent(at.person.email)}?secret=${first.body.secret}&issuer=Dukkan&algorithm=SHA1&digits=6&period=30`,
    });
    const [kept] = await service.sql`select f::text as row from second_factors f where user_id = ${at.person.userId}`;
    for (const form of [first.body.secret, Buffer.from(first.body.secret).toString('hex')])
      expect(kept?.row).not.toContain(form);
    expect((await logIn()).status).toBe(200);
    expect(await hasSecondFactor(service.sql, at.person.userId)).toBe(false);

    const second = await enrol();
    expect(second.body.secret).not.toBe(first.body.secret);
    const old = await post('/auth/totp/confirm', { code: codeOf(first.body.secret, clock) });
    expect(old.body).toEqual({ code: 422, error: 'Validation failed', details: { code: 'is wrong' } });
    expect((await post('/auth/totp/confirm', { code: codeOf(second.body.secret, clock) })).status).toBe(200);
    expect(await hasSecondFactor(service.sql, at.person.userId)).toBe(true);
  });

  it('is confirmed by a code of the step before or after as well; ten recovery codes, shown once and kept as hashes', async () => {
    for (const ahead of [-1, 1]) {
      at.person = await testAccount(service.sql, shop.id, 'member');
      const { secret } = (await enrol()).body;
      const { status, body } = await post('/auth/totp/confirm', { code: codeOf(secret, clock, ahead) });
      expect([status, Object.keys(body)]).toEqual([200, ['recovery_codes']]);
      expect(new Set(body.recovery_codes).size).toBe(10);
      const rows = await service.sql`select c::text as row from recovery_codes c where user_id = ${at.person.userId}`;
      expect(rows).toHaveLength(10);
      for (const code of body.recovery_codes) expect(JSON.stringify(rows)).not.toContain(code);
    }
  });

  it.each<[string, object | undefined, object]>([
    ['no body', undefined, { password: 'is required' }],
    ['no password', {}, { password: 'is required' }],
    ['a wrong password', { password: 'not this one' }, { password: 'is wrong' }],
  ])('422 for %s, and nothing is enrolled', async (_what, body, details) => {
    expect((await post('/auth/totp/enrol', body)).body).toEqual({ code: 422, error: 'Validation failed', details });
    expect(await service.sql`select 1 from second_factors where user_id = ${at.person.userId}`).toEqual([]);
  });

  it('429 after ten wrong passwords, which count for the login as well', async () => {
    for (let tried = 0; tried < TRIES_PER_ADDRESS; tried += 1) {
      expect((await post('/auth/totp/enrol', { password: `guess ${tried}` })).status).toBe(422);
    }
    expect((await enrol()).status).toBe(429);
    expect((await logIn()).status).toBe(429);
  });

  it('keeps no hash of the password with an Idempotency-Key, and asks for the password on a repeat', async () => {
    const enrolment = { headers: { 'idempotency-key': newId() } };
    const first = await enrol(enrolment);
    expect((await post('/auth/totp/enrol', { password: 'not this one' }, enrolment)).status).toBe(422);
    expect((await enrol(enrolment)).body).toEqual(first.body);
    const [kept] = await service.sql<{ fingerprint: Buffer }[]>`
      select fingerprint from idempotency_keys where key = ${enrolment.headers['idempotency-key']}`;
    const request = 'POST /api/v1/auth/totp/enrol\n';
    const guess = createHash('sha256')
      .update(`${request}${JSON.stringify({ password: at.person.password })}`)
      .digest();
    expect(kept?.fingerprint.equals(guess)).toBe(false);
  });

  it('409 once it is confirmed, and 409 to confirm what was never begun', async () => {
    expect((await post('/auth/totp/confirm', { code: '123456' })).body).toEqual({
      code: 409,
      error: 'No second factor to confirm',
      details: { totp: 'enrol first' },
    });
    const { secret } = await confirmed();
    const again = { code: 409, error: 'Second factor is enabled already', details: { totp: 'disable it first' } };
    expect((await enrol()).body).toEqual(again);
    expect((await post('/auth/totp/confirm', { code: codeOf(secret, clock, 1) })).body).toEqual(again);
  });

  it('an answer that was lost comes again with the same Idempotency-Key, recovery codes and all', async () => {
    const key = () => ({ headers: { 'idempotency-key': newId() } });
    const enrolment = key();
    const first = await enrol(enrolment);
    expect((await enrol(enrolment)).body).toEqual(first.body);
    const confirmation = key();
    const body = { code: codeOf(first.body.secret, clock) };
    const shown = await post('/auth/totp/confirm', body, confirmation);
    clock.advanceMs(10 * STEP_MS);
    const again = await post('/auth/totp/confirm', body, confirmation);
    expect([again.status, again.body]).toEqual([200, shown.body]);
    expect(again.headers.get('idempotency-hit')).toBe('true');
  });

  it.each(['enrol', 'confirm', 'disable'])('401 for API keys and without a token: %s', async (verb) => {
    const body = { code: '123456', password: 'x' };
    for (const caller of [{ apiKey: shop.apiKey }, {}]) {
      expect((await call(service.baseUrl, `POST /auth/totp/${verb}`, { body, ...caller })).status).toBe(401);
    }
  });

  it.each([{}, { code: '' }, { code: 123456 }, { code: 'x'.repeat(65) }])('422: %j', async (body) => {
    expect((await post('/auth/totp/confirm', body)).body.details).toHaveProperty('code');
  });
});

describe('a login of an enrolled account', () => {
  it('401 until a code comes along, and only to who knows the password', async () => {
    const { secret } = await confirmed();
    expect((await logIn()).body).toEqual(SECOND_FACTOR_REQUIRED);
    const wrongPassword = { code: 401, error: 'Invalid email or password', details: {} };
    expect((await logIn(undefined, 'wrong')).body).toEqual(wrongPassword);
    const code = nextCode(secret);
    expect((await logIn(code, 'wrong')).body).toEqual(wrongPassword);
    const { status, body } = await logIn(code);
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
    expect((await call(service.baseUrl, 'GET /auth/credentials', { token: body.access_token })).status).toBe(200);
  });

  it('a code works once, the one that confirmed included, and none before it afterwards', async () => {
    const { secret } = await confirmed();
    expect((await logIn(codeOf(secret, clock))).body).toEqual(WRONG_CODE);
    const code = nextCode(secret);
    expect((await logIn(code)).status).toBe(200);
    expect((await logIn(code)).body).toEqual(WRONG_CODE);
    expect((await logIn(codeOf(secret, clock, -1))).status).toBe(401);
    expect((await logIn(codeOf(secret, clock, 2))).status).toBe(401);
    expect((await logIn(` ${codeOf(secret, clock, 1).replace(/^.../, '$& ')}`)).status).toBe(200);
  });

  it('a recovery code does in its place, however it is typed, once', async () => {
    const { recoveryCodes } = await confirmed();
    const [first = '', second = ''] = recoveryCodes;
    expect((await logIn(first)).status).toBe(200);
    expect((await logIn(first)).body).toEqual(WRONG_CODE);
    expect((await logIn(second.toLowerCase().replaceAll('-', ''))).status).toBe(200);
    const other = await testAccount(service.sql, shop.id);
    const theirs = await withSecondFactor(service.baseUrl, other, clock);
    expect((await logIn(theirs.recoveryCodes[0])).status).toBe(401);
  });

  it('of 50 impatient callers with the same code exactly one gets in', async () => {
    const { secret } = await confirmed();
    const code = nextCode(secret);
    const replies = await Promise.all(Array.from({ length: 50 }, () => logIn(code)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 401, 429].includes(status))).toEqual([]);
  });

  it('the same on several nodes, where nothing in memory holds them back: with a code and with a recovery code', async () => {
    const { secret, recoveryCodes } = await confirmed();
    const box = secretBox('another node reads the same secret');
    await service.sql`update second_factors set secret = ${box.seal(secret)} where user_id = ${at.person.userId}`;
    const tools = { sql: service.sql, clock, box };
    for (const code of [nextCode(secret), recoveryCodes[0] ?? '']) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, () => verifySecondFactor(tools, at.person.userId, code)),
      );
      const values = outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value : outcome.reason.status,
      );
      expect(values.filter((value) => value === true)).toHaveLength(1);
      // The right one begins the count afresh, so how many were let try depends on when it came.
      expect(values.filter((value) => ![true, false, 429].includes(value))).toEqual([]);
    }
  });

  it('limits codes to ten attempts per account from all clients; a login without a code adds none', async () => {
    const { secret } = await confirmed();
    const tools = { sql: service.sql, clock, box: service.platform.box };
    const right = nextCode(secret);
    const guess = String((Number(right) + 500_000) % 1_000_000).padStart(6, '0');
    for (let tried = 0; tried < 5; tried += 1) {
      expect((await logIn(guess)).status).toBe(401);
      expect((await logIn()).status).toBe(401);
    }
    // Another address, another node: the count is the account's.
    for (let tried = 5; tried < MAX_TRIES; tried += 1) {
      expect(await verifySecondFactor(tools, at.person.userId, guess)).toBe(false);
    }
    const blocked = await logIn(right);
    expect([blocked.status, blocked.body.error]).toEqual([429, 'Too many requests']);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(60);
    clock.advanceMs(TRIES_WINDOW_MS + STEP_MS);
    expect((await logIn(codeOf(secret, clock))).status).toBe(200);
  });

  it('a wrong code is counted like a wrong password, for the address', async () => {
    const { secret } = await confirmed();
    clock.advanceMs(STEP_MS);
    for (let tried = 0; tried < 5; tried += 1) expect((await logIn('000000', 'wrong')).status).toBe(401);
    // Neither right nor wrong: it begins no new count.
    expect((await logIn()).body).toEqual(SECOND_FACTOR_REQUIRED);
    for (let tried = 0; tried < 5; tried += 1) expect((await logIn('x')).status).toBe(401);
    expect((await logIn(codeOf(secret, clock))).status).toBe(429);
    clock.advanceMs(TRIES_WINDOW_MS);
  });

  it('a password change leaves the factor as it is', async () => {
    const { secret } = await confirmed();
    const next = 'a new password for tests';
    const changed = await post('/auth/password', { current_password: at.person.password, new_password: next });
    expect(changed.status).toBe(204);
    expect((await logIn(undefined, next)).body).toEqual(SECOND_FACTOR_REQUIRED);
    expect((await logIn(nextCode(secret), next)).status).toBe(200);
  });
});

describe('disabling', () => {
  it('takes password and code, and the login asks for no code any more', async () => {
    const { secret } = await confirmed();
    const code = nextCode(secret);
    const wrong = (details: object) => ({ code: 422, error: 'Validation failed', details });
    const { password } = at.person;
    expect((await post('/auth/totp/disable', { password: 'wrong', code })).body).toEqual(
      wrong({ password: 'is wrong' }),
    );
    expect((await post('/auth/totp/disable', { password, code: '12345' })).body).toEqual(
      wrong({ code: 'is wrong or was used before' }),
    );
    expect((await post('/auth/totp/disable', { password, code })).status).toBe(204);
    expect((await logIn()).status).toBe(200);
    expect(await service.sql`select from recovery_codes where user_id = ${at.person.userId}`).toHaveLength(0);
    expect((await enrol()).status).toBe(200);
  });

  it('a recovery code will do; 409 where there is no factor', async () => {
    const none = await post('/auth/totp/disable', { password: at.person.password, code: '123456' });
    expect(none.body).toEqual({ code: 409, error: 'No second factor is enabled', details: { totp: 'enrol first' } });
    const { recoveryCodes } = await confirmed();
    const body = { password: at.person.password, code: recoveryCodes[0] };
    expect((await post('/auth/totp/disable', body)).status).toBe(204);
    expect((await post('/auth/totp/disable', { password: at.person.password })).body.details).toEqual({
      code: 'is required',
    });
  });
});
