import { beforeAll, describe, expect, it } from 'vitest';
import { answerOf, runLine } from '../../src/cli/testing/run-line.ts';
import { codeOf, withSecondFactor } from '../../src/modules/identity/testing/second-factor.ts';
import { movableClock } from '../../src/platform/clock.ts';
import { newId } from '../../src/platform/ids.ts';
import {
  type Call,
  call,
  commercialAccount,
  exchange,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../harness/index.ts';

/** Attacks on accounts, each as an attacker would carry it out over HTTP, and each refused. */

const ATTACKER_PASSWORD = 'known to the attacker';
const OWN_PASSWORD = 'chosen by the real person';
const clock = movableClock(new Date());
let service: TestService;
let attacker: TestOrganization;
let operator: TestAccount;

beforeAll(async () => {
  service = await testService({}, { clock });
  attacker = await testOrganization(service.sql);
  operator = await commercialAccount(service.sql);
});

const ask = (target: string, options: Call = {}) => call(service.baseUrl, target, options);
const logIn = (email: string, password: string) => ask('POST /auth/login', { body: { email, password } });
const accept = (body: object) => ask('POST /auth/invitations/accept', { body });
const tokenOf = (link: string | undefined) => link?.split('#token=')[1] ?? '';
const address = () => `victim-${newId()}@tests.example`;
const membershipsOf = (email: string) => service.sql<{ organization_id: string; role: string }[]>`
  select m.organization_id, m.role from memberships m join users u on u.id = m.user_id where u.email = ${email}`;

async function inviteAs(token: string, email: string): Promise<string> {
  const invited = await ask('POST /members', { token, body: { email, role: 'member' } });
  expect(invited.status, invited.text).toBe(201);
  return tokenOf(invited.body.data.invite_url);
}

/** An owner invites an address and accepts the link himself: he holds a login under an address that is not his. */
async function squat(email: string) {
  const link = await inviteAs(attacker.owner.token, email);
  const { body } = await accept({ token: link, name: 'Squatter', password: ATTACKER_PASSWORD });
  const headers = { token: body.access_token };
  const kept = await ask('POST /auth/session-tokens', { ...headers, body: { name: 'kept' } });
  expect(kept.status, kept.text).toBe(201);
  return { login: body, sessionToken: kept.body.token as string };
}

async function openFor(email: string) {
  const body = { name_en: 'Hail Groceries', name_ar: 'بقالات حائل', owner_email: email, plan: 'standard' };
  const opened = await ask('POST /commercial/organizations', { token: operator.token, body });
  expect(opened.status, opened.text).toBe(201);
  return opened.body;
}

/** Everything that the squatter held is worth nothing, and the account is the real person's in the new organization alone. */
async function expectTakenBack(
  email: string,
  squatter: Awaited<ReturnType<typeof squat>>,
  { organizationId, token }: { organizationId: string; token: string },
): Promise<void> {
  for (const held of [squatter.login.access_token, squatter.sessionToken]) {
    expect((await ask('GET /auth/session-tokens', { token: held })).status).toBe(401);
  }
  const refresh = { body: { refresh_token: squatter.login.refresh_token } };
  expect((await ask('POST /auth/refresh', refresh)).status).toBe(401);
  expect((await logIn(email, ATTACKER_PASSWORD)).status).toBe(401);
  expect((await logIn(email, OWN_PASSWORD)).status).toBe(200);
  const { organizations } = (await ask('GET /auth/account', { token })).body;
  expect(organizations.map(({ id, role }: Record<string, string>) => [id, role])).toEqual([[organizationId, 'owner']]);
}

describe('an address squatted by accepting an own invitation', () => {
  it('is not attached to another organization by dukkan user create', async () => {
    const email = address();
    await squat(email);
    const { id } = await testOrganization(service.sql);
    const create = ['user', 'create', '--email', email, '--org', id, '--role', 'owner'];
    await expect(runLine(service.platform, ...create)).rejects.toThrow('user invite');
    expect(await membershipsOf(email)).toEqual([{ organization_id: attacker.id, role: 'member' }]);
  });

  it('is taken back by the owner link of POST /commercial/organizations, second factor and all', async () => {
    const email = address();
    const squatter = await squat(email);
    await withSecondFactor(service.baseUrl, { token: squatter.sessionToken, password: ATTACKER_PASSWORD }, clock);
    const opened = await openFor(email);
    expect(opened).toMatchObject({ resets_account: true, affected_organizations: [attacker.id] });

    const entered = await accept({ token: tokenOf(opened.invite_url), name: 'Hessa', password: OWN_PASSWORD });
    expect(entered.status, entered.text).toBe(200);
    await expectTakenBack(email, squatter, { organizationId: opened.id, token: entered.body.access_token });
  });

  it('is taken back by dukkan user invite', async () => {
    const email = address();
    const squatter = await squat(email);
    const { id } = await testOrganization(service.sql);
    const line = ['user', 'invite', '--email', email, '--org', id, '--role', 'owner'];
    const invited = await answerOf<Record<string, unknown>>(service.platform, ...line);
    expect(invited).toMatchObject({ resets_account: true, affected_organizations: [attacker.id] });
    const token = tokenOf(invited.invite_url as string);
    const entered = await accept({ token, name: 'Hessa', password: OWN_PASSWORD });
    expect(entered.status, entered.text).toBe(200);
    await expectTakenBack(email, squatter, { organizationId: id, token: entered.body.access_token });
  });

  it('is taken back when it is squatted between the invitation and its acceptance', async () => {
    const email = address();
    const opened = await openFor(email);
    expect(opened.resets_account).toBe(false);
    const squatter = await squat(email);
    const entered = await accept({ token: tokenOf(opened.invite_url), name: 'Hessa', password: OWN_PASSWORD });
    expect(entered.status, entered.text).toBe(200);
    await expectTakenBack(email, squatter, { organizationId: opened.id, token: entered.body.access_token });
  });

  it('leaves the squatter no way back: his organization holds an invitation that only the real password accepts', async () => {
    const email = address();
    await squat(email);
    const opened = await openFor(email);
    await accept({ token: tokenOf(opened.invite_url), name: 'Hessa', password: OWN_PASSWORD });

    const { body } = await ask(`GET /members?search=${email}`, { token: attacker.owner.token });
    expect(body.data).toMatchObject([{ email, status: 'invited', user_id: null, name: '' }]);
    await ask(`DELETE /members/${body.data[0].id}`, { token: attacker.owner.token });
    const link = await inviteAs(attacker.owner.token, email);
    const again = await accept({ token: link, name: 'Squatter', password: ATTACKER_PASSWORD });
    expect(again.status).toBe(401);
    expect(await membershipsOf(email)).toEqual([{ organization_id: opened.id, role: 'owner' }]);
  });
});

describe('a stolen session token', () => {
  it('enrols no second factor without the password, and guessing it ends in 429 for the login as well', async () => {
    const victim = await testAccount(service.sql, attacker.id, 'member');
    const enrol = (body?: object) => ask('POST /auth/totp/enrol', { token: victim.token, body });
    expect((await enrol()).status).toBe(422);
    expect((await enrol({})).status).toBe(422);
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await enrol({ password: `guess number ${guess}` })).status).toBe(422);
    }
    expect((await enrol({ password: victim.password })).status).toBe(429);
    expect((await logIn(victim.email, victim.password)).status).toBe(429);
    const rows = await service.sql`select 1 from second_factors where user_id = ${victim.userId}`;
    expect(rows).toEqual([]);
  });

  it('loses with a reset by the operator what it had enrolled, and its own life', async () => {
    const victim = await testAccount(service.sql, attacker.id, 'member');
    await withSecondFactor(service.baseUrl, victim, clock);
    expect((await logIn(victim.email, victim.password)).status).toBe(401);
    const body = { email: victim.email, reason: 'Telephone lost, called back on the known number' };
    for (const token of [victim.token, attacker.owner.token]) {
      expect((await ask('POST /commercial/users/reset-totp', { token, body })).status).toBe(403);
    }
    const reset = await ask('POST /commercial/users/reset-totp', { token: operator.token, body });
    expect(reset.status, reset.text).toBe(200);
    expect((await ask('GET /auth/account', { token: victim.token })).status).toBe(401);
    expect((await logIn(victim.email, victim.password)).status).toBe(200);
  });

  it("of an operator removes no operator's second factor, its own included", async () => {
    const other = await commercialAccount(service.sql);
    const { secret } = await withSecondFactor(service.baseUrl, other, clock);
    const body = { email: other.email, reason: 'none' };
    for (const { token } of [other, operator]) {
      expect((await ask('POST /commercial/users/reset-totp', { token, body })).status).toBe(422);
    }
    expect((await logIn(other.email, other.password)).body.details).toEqual({ totp: true });
    clock.advanceMs(30_000);
    const code = codeOf(secret, clock);
    const entered = await ask('POST /auth/login', { body: { email: other.email, password: other.password, code } });
    expect(entered.status).toBe(200);
  });
});

describe('an owner who wants to know whether an address has an account', () => {
  /** What may differ between two answers that say the same. */
  const bare = (text: string, email: string) =>
    text.replaceAll(email, 'EMAIL').replaceAll(/[0-9a-f-]{36}|dki_[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*');

  it('is answered the same for an address with none, with one, and with one of the operator', async () => {
    const addresses = [address(), (await testAccount(service.sql, null)).email, operator.email];
    const answers = await Promise.all(
      addresses.map(async (email) => {
        const { status, text } = await ask('POST /members', {
          token: attacker.owner.token,
          body: { email, role: 'viewer' },
        });
        return [status, bare(text, email)];
      }),
    );
    expect(answers[0]?.[0]).toBe(201);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it.each<[string, object]>([
    ['without a name', { password: 'long enough for any' }],
    ['with a blank name', { name: ' ', password: 'long enough for any' }],
    ['with a short password', { name: 'Probe', password: 'short' }],
    ['without a password', { name: 'Probe' }],
  ])('learns nothing from accepting his own link %s', async (_what, fields) => {
    const known = await testAccount(service.sql, null);
    const answers: unknown[] = [];
    for (const email of [address(), known.email]) {
      const token = await inviteAs(attacker.owner.token, email);
      const { status, text } = await accept({ token, ...fields });
      answers.push([status, text]);
    }
    expect(answers[0]).toEqual([422, expect.any(String)]);
    expect(answers[1]).toEqual(answers[0]);
  });
});

describe('addresses and transport', () => {
  const inviteWith = async (base: string, token: string, headers: string): Promise<string> => {
    const body = JSON.stringify({ email: address(), role: 'viewer' });
    const answer = await exchange(
      base,
      `POST /api/v1/members HTTP/1.1\r\n${headers}\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
    expect(answer.status, answer.body).toBe(201);
    return /https?:\/\/[^/]+/.exec(/"invite_url":"([^"]+)"/.exec(answer.body)?.[1] ?? '')?.[0] ?? '';
  };

  it('no link follows a forged Host or X-Forwarded-Host header, not even through a trusted proxy', async () => {
    const { token } = attacker.owner;
    const port = new URL(service.baseUrl).port;
    const own = `http://127.0.0.1:${port}`;
    const database = { url: service.databaseUrl, sql: service.sql };
    const proxied = await testService({ TRUST_PROXY: 'loopback' }, { clock, database });
    const forwarded = 'host: evil.example\r\nx-forwarded-host: evil.example\r\nx-forwarded-proto: https';
    expect(await inviteWith(service.baseUrl, token, 'host: evil.example')).toBe(own);
    expect(await inviteWith(service.baseUrl, token, `host: 127.0.0.1.evil.example:${port}`)).toBe(own);
    expect(await inviteWith(service.baseUrl, token, forwarded)).toBe(own);
    expect(await inviteWith(proxied.baseUrl, token, forwarded)).toBe(proxied.baseUrl);
    expect(await inviteWith(service.baseUrl, token, `host: localhost:${port}`)).toBe(`http://localhost:${port}`);
  });

  it('with an https PUBLIC_URL the refresh cookie is Secure and every answer demands https', async () => {
    const database = { url: service.databaseUrl, sql: service.sql };
    const behindTls = await testService({ PUBLIC_URL: 'https://shop.example' }, { clock, database });
    const body = { email: attacker.owner.email, password: attacker.owner.password };
    const reply = await call(behindTls.baseUrl, 'POST /auth/login', { body, headers: { 'x-session': 'cookie' } });
    expect(reply.headers.get('set-cookie')).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
    for (const target of ['GET /ping', 'GET /nowhere', 'GET /orders']) {
      const { headers } = await call(behindTls.baseUrl, target);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    }
    expect((await ask('GET /ping')).headers.get('strict-transport-security')).toBeNull();
  });
});
