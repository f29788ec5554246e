import { beforeAll, describe, expect, it } from 'vitest';
import {
  commercialAccount,
  type TestAccount,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { supportDesk } from '../testing/support.ts';
import { MAX_DAILY_REQUESTS, MAX_OPEN_REQUESTS } from './request-access.ts';

const HOUR_MS = 3_600_000;
const clock = movableClock(new Date('2026-11-18T08:00:00Z'));
let service: TestService;
let desk: Awaited<ReturnType<typeof supportDesk>>;
let operator: TestAccount;

beforeAll(async () => {
  service = await testService({}, { clock });
  desk = await supportDesk(service);
  operator = await commercialAccount(service.sql);
});

describe('POST /organization/support-grants', () => {
  it('opens one grant for the chosen time, lists it and ends it', async () => {
    const shop = await testOrganization(service.sql);
    const { token } = shop.owner;
    const { status, body } = await desk.grant(shop, { scope: 'full', duration_hours: 24, reason: ' Double orders ' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      scope: 'full',
      status: 'open',
      reason: 'Double orders',
      granted_by: { id: shop.owner.userId, name: shop.owner.email },
      created: clock.now().toISOString(),
      expires_at: new Date(clock.now().getTime() + 24 * HOUR_MS).toISOString(),
      ended_at: null,
      ended_by: null,
      operators: [],
    });
    expect((await desk.ask('GET /organization/support-access', token)).body).toEqual({
      grant: body.data,
      requests: [],
    });
    expect(await desk.grant(shop)).toMatchObject({ status: 409, reason: 'support-access-open' });

    expect((await desk.end(shop)).status).toBe(204);
    expect(await desk.end(shop)).toMatchObject({ status: 404, reason: 'support-access-not-found' });
    const { data } = (await desk.ask('GET /organization/support-grants', token)).body;
    expect(data).toMatchObject([{ id: body.data.id, status: 'ended', ended_by: shop.owner.email }]);
    expect(await desk.actionsOf(shop)).toEqual(['grant-support', 'end-support']);
  });

  it('can be made again when the last one has expired, and lists the newest first', async () => {
    const shop = await testOrganization(service.sql);
    await desk.grant(shop, { duration_hours: 1 });
    clock.advanceMs(HOUR_MS);
    expect((await desk.ask('GET /organization/support-access', shop.owner.token)).body.grant).toBeNull();
    expect((await desk.end(shop)).status).toBe(404);
    expect((await desk.grant(shop, { scope: 'full' })).status).toBe(201);
    const { body } = await desk.ask('GET /organization/support-grants?limit=1', shop.owner.token);
    expect(body).toMatchObject({ total_count: 2, has_next: true, data: [{ scope: 'full', status: 'open' }] });
    const next = await desk.ask('GET /organization/support-grants?limit=1&page=2', shop.owner.token);
    expect(next.body.data).toMatchObject([{ scope: 'read', status: 'expired', ended_by: null }]);
  });

  it('makes one of eight grants at once', async () => {
    const shop = await testOrganization(service.sql);
    const replies = await Promise.all(Array.from({ length: 8 }, () => desk.grant(shop)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await desk.actionsOf(shop)).toEqual(['grant-support']);
  });

  it('answers a repeated Idempotency-Key with the same grant', async () => {
    const shop = await testOrganization(service.sql);
    const options = { headers: { 'idempotency-key': newId() }, body: { scope: 'read', duration_hours: 8 } };
    const first = await desk.ask('POST /organization/support-grants', shop.owner.token, options);
    const second = await desk.ask('POST /organization/support-grants', shop.owner.token, options);
    expect([second.status, second.body]).toEqual([201, first.body]);
  });

  it('is refused to accounts that do not manage the organization', async () => {
    const shop = await testOrganization(service.sql);
    const body = { scope: 'read', duration_hours: 8 };
    const ask = (token: string | undefined) => desk.ask('POST /organization/support-grants', token, { body });
    const member = await testAccount(service.sql, shop.id, 'member');
    expect(await ask(member.token)).toMatchObject({ status: 403, reason: 'missing-grant' });
    expect(await ask(operator.token)).toMatchObject({ status: 403 });
    expect(await ask(undefined)).toMatchObject({ status: 401, reason: 'unauthenticated' });
    const admin = await testAccount(service.sql, shop.id, 'member', { added: ['update:Settings'] });
    expect((await ask(admin.token)).status).toBe(201);
  });

  it.each([
    ['a duration that is not offered', { scope: 'read', duration_hours: 2 }],
    ['a huge duration', { scope: 'read', duration_hours: 1e300 }],
    ['an unknown scope', { scope: 'owner', duration_hours: 8 }],
    ['no duration', { scope: 'read' }],
    ['a reason of 501 characters', { scope: 'read', duration_hours: 8, reason: 'x'.repeat(501) }],
  ])('returns 422 for %s', async (_, body) => {
    const shop = await testOrganization(service.sql);
    expect((await desk.ask('POST /organization/support-grants', shop.owner.token, { body })).status).toBe(422);
  });
});

describe('a request of an operator', () => {
  it('is shown to the organization and allowed by a grant', async () => {
    const shop = await testOrganization(service.sql);
    const { status, body } = await desk.request(shop, operator.token);
    expect(status).toBe(201);
    const state = await desk.ask('GET /organization/support-access', shop.owner.token);
    expect(state.body).toEqual({ grant: null, requests: [body.data] });
    expect(body.data).toMatchObject({ operator: { id: operator.userId, name: operator.email }, status: 'open' });

    expect(await desk.request(shop, operator.token)).toMatchObject({ status: 409, reason: 'support-request-open' });
    expect((await desk.grant(shop, { request_id: body.data.id })).status).toBe(201);
    const seen = await desk.ask(`GET ${desk.at(shop.id, 'support-access')}`, operator.token);
    expect(seen.body).toMatchObject({ grant: { status: 'open' }, request: { status: 'allowed' } });
    expect(await desk.request(shop, operator.token)).toMatchObject({ status: 409, reason: 'support-access-open' });
    expect(await desk.actionsOf(shop)).toEqual(['request-support', 'allow-support-request', 'grant-support']);
  });

  it('is answered once: refused, then neither allowed nor refused again', async () => {
    const shop = await testOrganization(service.sql);
    const { id } = (await desk.request(shop, operator.token)).body.data;
    const refuse = () => desk.ask(`POST /organization/support-requests/${id}/refuse`, shop.owner.token);
    expect(await refuse()).toMatchObject({ status: 200, body: { data: { status: 'refused' } } });
    expect(await refuse()).toMatchObject({ status: 409, reason: 'support-request-settled' });
    expect(await desk.grant(shop, { request_id: id })).toMatchObject({
      status: 409,
      reason: 'support-request-settled',
    });
    const seen = await desk.ask(`GET ${desk.at(shop.id, 'support-access')}`, operator.token);
    expect(seen.body).toMatchObject({ grant: null, request: { status: 'refused' } });
  });

  it('is withdrawn by its operator only', async () => {
    const shop = await testOrganization(service.sql);
    const colleague = await commercialAccount(service.sql);
    const withdraw = (token: string) => desk.ask(`DELETE ${desk.at(shop.id, 'support-request')}`, token);
    await desk.request(shop, operator.token);
    expect(await withdraw(colleague.token)).toMatchObject({ status: 404, reason: 'support-request-not-found' });
    expect((await withdraw(operator.token)).status).toBe(204);
    expect((await withdraw(operator.token)).status).toBe(404);
    expect((await desk.ask('GET /organization/support-access', shop.owner.token)).body.requests).toEqual([]);
  });

  it('expires after seven days, and can then be made again', async () => {
    const shop = await testOrganization(service.sql);
    const { id } = (await desk.request(shop, operator.token)).body.data;
    clock.advanceMs(7 * 24 * HOUR_MS);
    expect(await desk.grant(shop, { request_id: id })).toMatchObject({
      status: 409,
      reason: 'support-request-settled',
    });
    expect((await desk.ask('GET /organization/support-access', shop.owner.token)).body.requests).toEqual([]);
    const seen = await desk.ask(`GET ${desk.at(shop.id, 'support-access')}`, operator.token);
    expect(seen.body.request).toMatchObject({ id, status: 'expired' });
    expect((await desk.request(shop, operator.token)).status).toBe(201);
  });

  it('is limited by open requests and by requests in a day', async () => {
    const shop = await testOrganization(service.sql);
    const crowd = await Promise.all(
      Array.from({ length: MAX_OPEN_REQUESTS + 1 }, () => commercialAccount(service.sql)),
    );
    const replies = await Promise.all(crowd.map(({ token }) => desk.request(shop, token)));
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(MAX_OPEN_REQUESTS);
    expect(replies.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      reason: 'too-many-support-requests',
    });
    for (const { body } of made) {
      await desk.ask(`POST /organization/support-requests/${body.data.id}/refuse`, shop.owner.token);
    }
    let asked = MAX_OPEN_REQUESTS;
    while ((await desk.request(shop, operator.token)).status === 201) {
      asked += 1;
      await desk.ask(`DELETE ${desk.at(shop.id, 'support-request')}`, operator.token);
    }
    expect(asked).toBe(MAX_DAILY_REQUESTS);
    clock.advanceMs(24 * HOUR_MS);
    expect((await desk.request(shop, operator.token)).status).toBe(201);
  });

  it('returns 401, 403, 404 and 422', async () => {
    const shop = await testOrganization(service.sql);
    expect(await desk.request(shop, shop.owner.token)).toMatchObject({ status: 403, reason: 'commercial-required' });
    const target = `POST ${desk.at(shop.id, 'support-request')}`;
    expect((await desk.ask(target, undefined, { body: { scope: 'read', reason: 'x' } })).status).toBe(401);
    for (const id of [newId(), 'nowhere']) {
      expect(await desk.request({ id }, operator.token)).toMatchObject({
        status: 404,
        reason: 'organization-not-found',
      });
      expect((await desk.ask(`GET ${desk.at(id, 'support-access')}`, operator.token)).status).toBe(404);
      expect((await desk.ask(`PUT ${desk.at(id, 'support-session')}`, operator.token)).status).toBe(404);
      expect((await desk.ask(`DELETE ${desk.at(id, 'support-session')}`, operator.token)).status).toBe(404);
      expect((await desk.ask(`DELETE ${desk.at(id, 'support-request')}`, operator.token)).status).toBe(404);
      expect((await desk.ask(`POST /organization/support-requests/${id}/refuse`, shop.owner.token)).status).toBe(404);
      expect((await desk.grant(shop, { request_id: id })).status).toBe(422);
    }
    for (const reason of ['', '   ', 'x'.repeat(501)]) {
      expect((await desk.request(shop, operator.token, { reason })).status).toBe(422);
    }
    for (const reason of ['a\u0000b', 'a\ud800b']) {
      expect((await desk.request(shop, operator.token, { reason })).status).toBe(400);
      expect((await desk.grant(shop, { reason })).status).toBe(400);
    }
    expect(await desk.actionsOf(shop)).toEqual([]);
  });
});
