import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { heldTransaction } from '../testing/held-transaction.ts';
import { supportDesk } from '../testing/support.ts';

const HOUR_MS = 3_600_000;
const clock = movableClock(new Date('2026-11-18T08:00:00Z'));
let service: TestService;
let desk: Awaited<ReturnType<typeof supportDesk>>;

beforeAll(async () => {
  service = await testService({}, { clock });
  desk = await supportDesk(service);
});

const session = (id: string) => desk.at(id, 'support-session');
const statusOf = async (token: string) => (await desk.ask('GET /branches', token)).status;

describe('opening an organization', () => {
  it('is refused without a grant, and to merchants', async () => {
    const shop = await testOrganization(service.sql);
    const operator = await commercialAccount(service.sql);
    const open = (token?: string) => desk.ask(`PUT ${session(shop.id)}`, token);
    expect(await open(operator.token)).toMatchObject({ status: 403, reason: 'support-not-granted' });
    await desk.grant(shop);
    await desk.end(shop);
    expect(await open(operator.token)).toMatchObject({ status: 403, reason: 'support-not-granted' });
    expect(await open(shop.owner.token)).toMatchObject({ status: 403, reason: 'commercial-required' });
    expect((await open()).status).toBe(401);
  });

  it('gives a token that stands for the operator in this organization only', async () => {
    const { shop, operator, grantId, token } = await desk.visit('read');
    const other = await testOrganization(service.sql);
    const { body } = await desk.ask('GET /auth/account', token);
    expect(body).toMatchObject({
      user: { id: operator.userId, operator_type: 'Commercial' },
      organizations: [{ id: shop.id, role: 'support' }],
      support: { grant_id: grantId, scope: 'read' },
    });
    expect(body.organizations[0].grants).toContain('read:Orders');
    expect(body.organizations[0].grants).not.toContain('update:Orders');
    expect(await statusOf(token)).toBe(200);
    expect((await desk.ask('GET /branches', token, { organizationId: other.id })).status).toBe(403);
    expect((await desk.ask('GET /branches', operator.token, { organizationId: shop.id })).status).toBe(403);
    expect((await desk.ask('GET /auth/account', operator.token)).body.support).toBeNull();

    const { data } = (await desk.ask('GET /organization/support-grants', shop.owner.token)).body;
    expect(data[0].operators).toEqual([
      { id: operator.userId, name: operator.email, opened_at: clock.now().toISOString() },
    ]);
    // Support is no member.
    const members = await desk.ask('GET /members', shop.owner.token);
    expect(members.body.total_count).toBe(1);
    const seen = await service.sql`select from last_seen where user_id = ${operator.userId}`;
    expect(seen).toHaveLength(0);
  });

  it('is one visit however often the same login asks, and another for another operator', async () => {
    const { shop, operator } = await desk.visit('read');
    const colleague = await commercialAccount(service.sql);
    const tokens = [operator.token, operator.token, colleague.token, colleague.token];
    const opened = await Promise.all(tokens.map((token) => desk.ask(`PUT ${session(shop.id)}`, token)));
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const opens = (await desk.actionsOf(shop)).filter((action) => action === 'open-support');
    expect(opens).toHaveLength(2);
  });

  it('lasts an hour, and never longer than the grant', async () => {
    const shop = await testOrganization(service.sql);
    const operator = await commercialAccount(service.sql);
    await desk.grant(shop, { duration_hours: 1 });
    clock.advanceMs(HOUR_MS / 4);
    const { body } = await desk.ask(`PUT ${session(shop.id)}`, operator.token);
    expect(body.expires_in).toBe(2_700);
    clock.advanceMs((3 * HOUR_MS) / 4 - 1_000);
    expect(await statusOf(body.access_token)).toBe(200);
    clock.advanceMs(1_000);
    expect(await statusOf(body.access_token)).toBe(401);
    expect((await desk.ask(`PUT ${session(shop.id)}`, operator.token)).status).toBe(403);
  });

  it('ends with the session token that it was opened with, when that one expires', async () => {
    const shop = await testOrganization(service.sql);
    const operator = await commercialAccount(service.sql);
    await desk.grant(shop, { duration_hours: 72 });
    const made = await desk.ask('POST /auth/session-tokens', operator.token, { body: { expires_in_days: 1 } });
    clock.advanceMs(24 * HOUR_MS - 600_000);
    const { body } = await desk.ask(`PUT ${session(shop.id)}`, made.body.token);
    expect(body.expires_in).toBe(600);
    clock.advanceMs(599_000);
    expect(await statusOf(body.access_token)).toBe(200);
    clock.advanceMs(1_000);
    expect((await desk.ask('GET /auth/account', made.body.token)).status).toBe(401);
    expect(await statusOf(body.access_token)).toBe(401);
  });
});

describe('a support token', () => {
  const ID = newId();
  const NEVER = [
    ['POST /auth/password', { current_password: 'x', new_password: 'a long password for tests' }],
    ['POST /auth/totp/enrol', { password: 'x' }],
    ['POST /auth/session-tokens', {}],
    ['GET /auth/sessions', undefined],
    ['POST /auth/logout', undefined],
    ['GET /auth/credentials', undefined],
    ['GET /commercial/organizations', undefined],
    ['POST /auth/api-keys', { name: 'x' }],
    ['POST /members', { email: 'a@tests.example', role: 'viewer' }],
    [`DELETE /members/${ID}`, undefined],
    ['PATCH /organization', { name_en: 'Taken' }],
    ['POST /webhook-subscriptions', { url: 'https://example.com/hook' }],
    [`PATCH /webhook-subscriptions/${ID}`, { url: 'https://example.com/hook' }],
    [`POST /webhook-subscriptions/${ID}/rotate-secret`, undefined],
    ['POST /apps', { app_slug: 'salla' }],
    [`POST /apps/${ID}/rotate-ingest-token`, undefined],
    ['POST /payments/orders', { providers: ['tabby'], order: { total_amount: 1, currency: 'SAR', line_items: [] } }],
    ['POST /organization/support-grants', { scope: 'full', duration_hours: 72 }],
    ['DELETE /organization/support-access', undefined],
    [`POST /organization/support-requests/${ID}/refuse`, undefined],
    ['POST /billing/payments', { amount_sar: 1 }],
  ] as const;

  it('of full scope is 403 wherever keys, members, secrets, money or access itself would change', async () => {
    const { shop, token } = await desk.visit('full');
    for (const [target, body] of NEVER) {
      const { status, reason } = await desk.ask(target, token, body === undefined ? {} : { body });
      expect([target, status, reason]).toEqual([target, 403, 'support-not-allowed']);
    }
    expect(await desk.actionsOf(shop)).toEqual(['grant-support', 'open-support']);
  });

  it('of read scope reads, and every write and export is 403 support-read-only', async () => {
    const { shop, token } = await desk.visit('read');
    for (const path of [
      '/orders',
      '/products',
      '/webhook-subscriptions',
      '/apps',
      '/members',
      '/auth/api-keys',
      '/audit',
    ]) {
      expect((await desk.ask(`GET ${path}`, token)).status, path).toBe(200);
    }
    const writes = [
      ['POST /branches', { iv_id: 'B-1' }],
      ['POST /products', { iv_id: 'P-1' }],
      [`PATCH /orders/${ID}/status`, {}],
      ['GET /products/export', undefined],
      ['GET /customers/export', undefined],
    ] as const;
    for (const [target, body] of writes) {
      const { status, reason } = await desk.ask(target, token, body === undefined ? {} : { body });
      expect([target, status, reason]).toEqual([target, 403, 'support-read-only']);
    }
    expect(await desk.actionsOf(shop)).toEqual(['grant-support', 'open-support']);
  });

  it('of full scope changes what it may, and everything it did is in the audit log under its grant', async () => {
    const { shop, operator, grantId, token } = await desk.visit('full');
    const branch = await desk.ask('POST /branches', token, { body: { iv_id: 'BR-1', name_en: 'Olaya' } });
    expect(branch.status).toBe(201);
    // An order records no author of its own.
    const order = await desk.ask('POST /orders', token, {
      body: {
        source_transaction_id: 'S-1',
        destination: branch.body.data.id,
        order_status: 'RECEIVED',
        payment_status: 'pending',
        fulfillment_status: 'None',
        skus: ['S-1'],
        products: [{ product_id: 'P-1', sku_id: 'S-1', name: 'Dates', quantity: 1, price: 5 }],
        total_amount: 5,
        currency: 'SAR',
      },
    });
    expect(order.status, JSON.stringify(order.body)).toBe(201);
    expect((await desk.ask('GET /products/export', token)).status).toBe(200);

    const { body } = await desk.ask(`GET /audit?actor=${operator.userId}`, shop.owner.token);
    const supported = { kind: 'operator', id: operator.userId, name: operator.email, support_grant_id: grantId };
    expect(body.data.every(({ actor }: { actor: object }) => JSON.stringify(actor) === JSON.stringify(supported))).toBe(
      true,
    );
    const did = body.data.map(({ action, resource, changed_fields }: Record<string, unknown>) =>
      [action, resource, ...(action === 'support-action' ? (changed_fields as string[]) : [])].join(' '),
    );
    expect(did.toReversed()).toEqual([
      'open-support Settings',
      'support-action Branches createBranch',
      'create Branches',
      'support-action Orders createOrder',
      'support-action Products exportProducts',
    ]);
    const { body: own } = await desk.ask(`GET /commercial/audit?organization_id=${shop.id}`, operator.token);
    expect(own.data[0].actor).toEqual(supported);
  });
});

describe('the end of a visit', () => {
  it('comes at once with the end of access, also on another node and for a stream that is open', async () => {
    const { shop, token } = await desk.visit('full');
    const there = await testService({}, { clock, database: { url: service.databaseUrl, sql: service.sql } });
    const statusThere = async () => (await call(there.baseUrl, 'GET /branches', { token })).status;
    expect(await statusThere()).toBe(200);
    const stream = await fetch(`${service.baseUrl}/api/v1/orders/changes/stream?cursor=`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(stream.status).toBe(200);

    expect((await desk.end(shop)).status).toBe(204);
    expect(await statusOf(token)).toBe(401);
    await expect.poll(statusThere, { interval: 20 }).toBe(401);
    expect(await stream.text()).toBeTypeOf('string');
    // A new grant does not bring the old token back.
    await desk.grant(shop, { scope: 'full' });
    expect(await statusOf(token)).toBe(401);
  });

  it('stops a write whose request was admitted before the end of access', async () => {
    const { shop, token } = await desk.visit('full');
    // The gate admits it from memory; the end of access is under way, and the write waits for it.
    expect(await statusOf(token)).toBe(200);
    const ending = await heldTransaction(
      service.sql,
      (tx) =>
        tx`update support_grants set ended_at = now(), ended_by_name = 'owner' where organization_id = ${shop.id}`,
    );
    const write = desk.ask('POST /branches', token, { body: { iv_id: 'LATE' } });
    const isWaiting = async () =>
      (
        await service.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      ).length;
    await expect.poll(isWaiting, { interval: 20 }).toBe(1);
    await ending.commit();
    expect(await write).toMatchObject({ status: 401, reason: 'unauthenticated' });
    const { body } = await desk.ask('GET /branches', shop.owner.token);
    expect(body.total_count).toBe(0);
  });

  it('comes with leaving, and a second leave is 404', async () => {
    const { shop, operator, token } = await desk.visit('read');
    const leave = () => desk.ask(`DELETE ${session(shop.id)}`, operator.token);
    expect((await leave()).status).toBe(204);
    expect(await statusOf(token)).toBe(401);
    expect(await leave()).toMatchObject({ status: 404, reason: 'support-session-not-found' });
    const again = await desk.ask(`PUT ${session(shop.id)}`, operator.token);
    expect(await statusOf(again.body.access_token)).toBe(200);
    expect(await desk.actionsOf(shop)).toEqual(['grant-support', 'open-support', 'leave-support', 'open-support']);
  });

  it('comes with the logout of the operator, and with the end of the account', async () => {
    const { shop, operator, token } = await desk.visit('read');
    expect((await call(service.baseUrl, 'POST /auth/logout', { token: operator.token })).status).toBe(204);
    expect(await statusOf(token)).toBe(401);

    const colleague = await commercialAccount(service.sql);
    const opened = await desk.ask(`PUT ${session(shop.id)}`, colleague.token);
    expect(await statusOf(opened.body.access_token)).toBe(200);
    await service.sql`update users set is_active = false where id = ${colleague.userId}`;
    await expect.poll(() => statusOf(opened.body.access_token), { interval: 20 }).toBe(401);
  });
});
