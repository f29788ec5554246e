import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  BOUNDED_MS,
  exchange,
  openSocket,
  type TestOrganization,
  testAccount,
  testOrganization,
} from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { createPasswordReset } from '../index.ts';
import { codeOf } from '../testing/second-factor.ts';
import { invitee, tally, times, twoConnections } from '../testing/two-connections.ts';

const MANY = 50;
const UNREAD = 20;
const CLI = { kind: 'cli', id: 'cli', name: 'cli', ip: '', requestId: '' } as const;
const { service, clock, ask, auditedAs } = await twoConnections();

describe('fifty concurrent requests', () => {
  it('apply every change of settings once, across tenants', async () => {
    const shops = await times(5, () => testOrganization(service.sql));
    const of = (index: number) => shops[index % shops.length] as TestOrganization;
    const token = (index: number) => of(index).owner.token;
    const invited = await times(MANY, (index) => ask('POST /members', { token: token(index), body: invitee() }));
    const made = await times(MANY, (index) =>
      ask('POST /auth/api-keys', { token: token(index), body: { grants: ['read:Orders'] } }),
    );
    const named = await times(MANY, (index) =>
      index % 2 === 0
        ? ask('PATCH /organization', { token: token(index), body: { address: `Street ${index}` } })
        : ask(index % 3 === 0 ? 'GET /audit' : 'GET /members?search=tests', { token: token(index) }),
    );
    expect([invited, made, named].map(tally)).toEqual([{ 201: MANY }, { 201: MANY }, { 200: MANY }]);
    const withdrawn = await times(MANY, (index) =>
      ask(`DELETE /members/${invited[index]?.body.data.id}`, { token: token(index) }),
    );
    // Each by two at once: the second finds it ended.
    const revoked = await times(MANY, (index) =>
      ask(`DELETE /auth/api-keys/${made[Math.floor(index / 2)]?.body.id}`, { token: token(Math.floor(index / 2)) }),
    );
    expect([withdrawn, revoked].map(tally)).toEqual([{ 204: MANY }, { 204: MANY / 2, 404: MANY / 2 }]);
    for (const shop of shops) {
      expect(await auditedAs(shop, 'create')).toBe(2 * (MANY / shops.length));
      expect(await auditedAs(shop, 'revoke')).toBe(MANY / 2 / shops.length);
      const { body } = await ask('GET /members', { token: shop.owner.token });
      expect(body.total_count).toBe(1);
    }
  });

  it('with one Idempotency-Key create one invitation, and all return its link', async () => {
    const { owner } = await testOrganization(service.sql);
    const options = { token: owner.token, headers: { 'idempotency-key': randomUUID() }, body: invitee() };
    const replies = await times(MANY, () => ask('POST /members', options));
    expect(tally(replies)).toEqual({ 201: MANY });
    expect(new Set(replies.map(({ body }) => body.data.invite_url)).size).toBe(1);
    expect((await ask('GET /members', { token: owner.token })).body.total_count).toBe(2);
  });

  it('with one link succeed once, for invitations and password resets; the others return 410 or 429', async () => {
    const shop = await testOrganization(service.sql);
    const { email } = await testAccount(service.sql, null);
    const invited = await ask('POST /members', { token: shop.owner.token, body: { ...invitee(), email } });
    const token = invited.body.data.invite_url.split('#token=')[1];
    const joining = await times(20, () =>
      ask('POST /auth/invitations/accept', { body: { token, name: 'Sara', password: 'a password for tests' } }),
    );
    const user = await testAccount(service.sql, shop.id, 'viewer');
    const reset = await inTransaction(service.sql, (tx) =>
      createPasswordReset(tx, CLI, { userId: user.userId, organizationId: null }, clock.now()),
    );
    const resetting = await times(20, (index) =>
      ask('POST /auth/password/reset', { body: { token: reset.token, password: `chosen by caller ${index}` } }),
    );
    for (const [replies, once] of [
      [joining, 200],
      [resetting, 204],
    ] as const) {
      const { [once]: done, 410: late = 0, 429: turnedAway = 0 } = tally(replies);
      expect([done, late + turnedAway]).toEqual([1, replies.length - 1]);
    }
    expect(await auditedAs(shop, 'accept')).toBe(1);
    expect(await auditedAs(shop, 'reset-password')).toBe(1);
    const chosen = resetting.findIndex(({ status }) => status === 204);
    const login = { email: user.email, password: `chosen by caller ${chosen}` };
    expect((await ask('POST /auth/login', { body: login })).status).toBe(200);
  });

  it('confirm one enrolment, issue one refresh token and remove the second factor once', async () => {
    const shop = await testOrganization(service.sql);
    const { token, email, password } = shop.owner;
    // No more than ten passwords of an account are checked at once.
    const enrolled = await times(10, () => ask('POST /auth/totp/enrol', { token, body: { password } }));
    expect(tally(enrolled)).toEqual({ 200: 10 });
    const { secret } = (await ask('POST /auth/totp/enrol', { token, body: { password } })).body;
    const code = codeOf(secret, clock);
    const confirmed = await times(20, () => ask('POST /auth/totp/confirm', { token, body: { code } }));
    expect(tally(confirmed)).toEqual({ 200: 1, 409: 19 });
    const [recovery, forRemoval] = confirmed.find(({ status }) => status === 200)?.body.recovery_codes ?? [];

    const logins = await times(20, () =>
      ask('POST /auth/login', { body: { email, password, code: recovery }, headers: { 'x-session': 'cookie' } }),
    );
    const entered = logins.filter(({ status }) => status === 200);
    expect(entered).toHaveLength(1);
    const cookie = entered[0]?.headers.get('set-cookie')?.split(';')[0] ?? '';
    const refreshed = await times(MANY, () =>
      ask('POST /auth/refresh', { headers: { 'x-session': 'cookie', cookie } }),
    );
    expect(tally(refreshed)).toEqual({ 200: MANY });
    expect(new Set(refreshed.map(({ headers }) => headers.get('set-cookie'))).size).toBe(1);

    const disabled = await times(20, () =>
      ask('POST /auth/totp/disable', { token, body: { password, code: forRemoval } }),
    );
    const { 204: done, ...rest } = tally(disabled);
    expect([done, Object.keys(rest).filter((status) => !['409', '422', '429'].includes(status))]).toEqual([1, []]);
    expect([await auditedAs(shop, 'confirm'), await auditedAs(shop, 'disable')]).toEqual([1, 1]);
  });

  it('are answered while other clients never read their answers or send 30 MB', async () => {
    const [shop, bystander] = [await testOrganization(service.sql), await testOrganization(service.sql)];
    const { token } = shop.owner;
    const sockets = await times(UNREAD, async () => {
      const socket = await openSocket(service.baseUrl);
      socket.on('error', () => undefined).pause();
      const body = JSON.stringify(invitee());
      socket.write(
        `POST /api/v1/members HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      return socket;
    });
    const large = Buffer.alloc(30 * 1024 * 1024, ' ');
    const atLimit = (limitBytes: number, body: object) => JSON.stringify(body).padEnd(limitBytes);
    const headers = { 'content-type': 'application/json' };
    for (const target of ['PATCH /api/v1/organization', 'POST /api/v1/members']) {
      const head =
        `${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`;
      const { status } = await exchange(service.baseUrl, Buffer.concat([Buffer.from(head), large]), BOUNDED_MS);
      expect([target, status]).toEqual([target, 413]);
    }
    for (const target of ['POST /auth/invitations/accept', 'POST /auth/password/reset', 'POST /auth/login']) {
      const raw = atLimit(16 * 1024, { token: 'dki_none', email: 'unknown@tests.example', password: 'long enough' });
      expect((await ask(target, { headers, raw })).status).not.toBe(413);
      expect((await ask(target, { headers, raw: `${raw} ` })).status).toBe(413);
    }
    const address = { address: 'x'.repeat(1_000) };
    const whole = { token, headers, raw: atLimit(1024 * 1024, address) };
    expect((await ask('PATCH /organization', whole)).status).toBe(200);
    expect((await ask('GET /audit', { token: bystander.owner.token })).status).toBe(200);
    await expect.poll(() => auditedAs(shop, 'create')).toBe(UNREAD);
    for (const socket of sockets) socket.destroy();
  });
});

describe('POST /auth/logout', () => {
  it('is audited with the id of the session token', async () => {
    const shop = await testOrganization(service.sql);
    const { body } = await ask('POST /auth/session-tokens', { token: shop.owner.token, body: {} });
    expect((await ask('POST /auth/logout', { token: body.token })).status).toBe(204);
    const { body: listed } = await ask('GET /audit?action=revoke', { token: shop.owner.token });
    expect(listed.data).toMatchObject([{ resource_id: body.id, changed_fields: ['revoked'] }]);
  });
});

describe('an empty code', () => {
  it('returns 422 when an invitation is accepted and at the login, and counts as no attempt', async () => {
    const token = `dki_${randomUUID()}`;
    for (const [target, rest] of [
      ['POST /auth/invitations/accept', { token, name: 'Sara' }],
      ['POST /auth/login', { email: 'unknown@tests.example' }],
    ] as const) {
      const { status, body } = await ask(target, { body: { ...rest, password: 'long enough', code: '' } });
      expect([status, Object.keys(body.details)]).toEqual([422, ['code']]);
    }
  });
});
