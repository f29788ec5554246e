import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { addMember, setSuspended } from '../index.ts';

let service: TestService;
let shop: TestOrganization;
beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
});

const check = (token: string | undefined, organizationId?: string) =>
  call(service.baseUrl, 'GET /auth/credentials', { token, organizationId });

/** Due so many days from now. */
async function fee(
  organizationId: string,
  amount: number,
  vat: number,
  paid: number,
  status: string,
  dueInDays = 14,
): Promise<void> {
  const due = new Date(Date.now() + dueInDays * 86_400_000).toISOString().slice(0, 10);
  await service.sql`
    insert into branch_fees
      (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, paid_sar, status, due_date, created)
    values (${organizationId}, ${newId()}, ${newId()}, '2026-11-01', ${amount}, ${vat}, ${paid}, ${status},
            ${due}, ${new Date()})`;
}
async function entry(organizationId: string, direction: 'credit' | 'debit', amount: number): Promise<void> {
  await service.sql`
    insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, created)
    values (${organizationId}, ${newId()}, ${direction === 'credit' ? 'topup' : 'branch_fee'}, ${direction}, ${amount},
            ${new Date()})`;
}

describe('200', () => {
  it('reports everything about a valid token', async () => {
    const { status, body } = await check(shop.owner.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      tenant: { id: shop.id, name_en: 'Test shop', name_ar: 'متجر', is_active: true },
      user: { id: shop.owner.userId, email: shop.owner.email, role: 'owner', operator_type: 'Merchant' },
      subscription: { plan: 'standard', status: 'active', period_end: null, outstanding_sar: 0, overdue_sar: 0 },
      wallet: { balance_sar: 0, currency: 'SAR' },
      token: { type: 'session_token', revoked: false, issued_at: expect.any(String), expires_at: null },
      service_operational: true,
    });
  });

  it('sums what is owed and what is in the wallet, of this tenant alone', async () => {
    const debtor = await testOrganization(service.sql);
    const { id } = debtor;
    await fee(id, 100, 15, 0, 'pending');
    await fee(id, 200.1, 30.02, 50, 'overdue', -20);
    // Not marked by a billing run yet: it is overdue by its date.
    await fee(id, 1000, 150, 0, 'pending', -2);
    await fee(id, 999, 0, 999, 'paid');
    await fee(id, 999, 0, 0, 'void');
    await fee(shop.id, 7, 0, 7, 'paid');
    await entry(id, 'credit', 500);
    await entry(id, 'debit', 120.25);
    await service.sql`update organizations set period_end = '2099-12-01T00:00:00Z' where id = ${id}`;
    const { body } = await check(debtor.owner.token);
    expect(body.subscription).toEqual({
      plan: 'standard',
      status: 'past_due',
      period_end: '2099-12-01T00:00:00.000Z',
      outstanding_sar: 1445.12,
      overdue_sar: 1330.12,
    });
    expect(body.wallet).toEqual({ balance_sar: 379.75, currency: 'SAR' });
    expect((await check(shop.owner.token)).body.wallet).toEqual({ balance_sar: 0, currency: 'SAR' });
  });

  it('stays available under suspension, and says so', async () => {
    const late = await testOrganization(service.sql);
    await setSuspended(service.sql, late.id, new Date());
    const { status, body } = await check(late.owner.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tenant: { is_active: true },
      subscription: { status: 'suspended' },
      service_operational: false,
    });
  });

  it('says of a revoked token that it is revoked; every other route says 401', async () => {
    const { owner } = await testOrganization(service.sql);
    await call(service.baseUrl, 'POST /auth/logout', { token: owner.token });
    const { status, body } = await check(owner.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token: { revoked: true }, service_operational: false });
    expect((await call(service.baseUrl, 'GET /telemetry', { token: owner.token })).status).toBe(401);
  });

  it('describes the organization that the header names', async () => {
    const second = await testOrganization(service.sql);
    const now = new Date(Date.now() + 1000);
    await addMember(service.sql, { organizationId: second.id, userId: shop.owner.userId, role: 'viewer', now });
    // Written past the service, which hears of it within a second.
    await expect.poll(async () => (await check(shop.owner.token, second.id)).status).toBe(200);
    expect((await check(shop.owner.token, second.id)).body).toMatchObject({
      tenant: { id: second.id },
      user: { role: 'viewer' },
    });
  });
});

describe('refusals', () => {
  it('400: no organization in token or header', async () => {
    const operator = await commercialAccount(service.sql);
    const reply = await check(operator.token);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 400, error: 'Organization not resolvable' });
  });

  it('returns 401 without a token and for a token that was never issued', async () => {
    expect((await check(undefined)).status).toBe(401);
    expect((await check(`dks_${'x'.repeat(43)}`)).status).toBe(401);
  });

  it('returns 403 for an organization of other users', async () => {
    const other = await testOrganization(service.sql);
    expect((await check(shop.owner.token, other.id)).status).toBe(403);
  });

  it('500: the billing or the wallet cannot be looked up', async () => {
    for (const table of ['billing_accounts', 'branch_fees']) {
      await service.sql`alter table ${service.sql(table)} rename to away`;
      const reply = await check(shop.owner.token);
      await service.sql`alter table away rename to ${service.sql(table)}`;
      expect(reply.status).toBe(500);
      expect(reply.body).toEqual({ code: 500, error: 'Billing lookup failed', details: {} });
    }
    expect((await check(shop.owner.token)).status).toBe(200);
  });
});

describe('the account', () => {
  it('names every organization of it with what it opens there', async () => {
    const own = await testOrganization(service.sql);
    const other = await testOrganization(service.sql);
    await addMember(service.sql, {
      organizationId: other.id,
      userId: own.owner.userId,
      role: 'viewer',
      now: new Date(),
      grantsAdded: ['create:Orders'],
      grantsWithheld: ['read:Analytics'],
    });
    const { status, body } = await call(service.baseUrl, 'GET /auth/account', { token: own.owner.token });
    expect(status).toBe(200);
    expect(body.user).toEqual({
      id: own.owner.userId,
      email: own.owner.email,
      name: expect.any(String),
      operator_type: 'Merchant',
      has_second_factor: false,
    });
    expect(body.organizations).toHaveLength(2);
    const first = body.organizations.find(({ id }: { id: string }) => id === own.id);
    expect(first).toMatchObject({ name_ar: 'متجر', role: 'owner', suspended: false, time_zone: 'Asia/Riyadh' });
    expect(first.grants).toContain('update:Settings');
    const second = body.organizations.find(({ id }: { id: string }) => id === other.id);
    expect(second.role).toBe('viewer');
    expect(second.grants).toEqual(expect.arrayContaining(['read:Orders', 'create:Orders']));
    expect(second.grants).not.toContain('read:Analytics');
    expect(second.grants).not.toContain('update:Orders');
  });

  it('is returned under suspension, and to an operator without an organization', async () => {
    const debtor = await testOrganization(service.sql);
    await setSuspended(service.sql, debtor.id, new Date());
    const { status, body } = await call(service.baseUrl, 'GET /auth/account', { token: debtor.owner.token });
    expect([status, body.organizations[0].suspended]).toEqual([200, true]);
    const operator = await commercialAccount(service.sql);
    const seen = await call(service.baseUrl, 'GET /auth/account', { token: operator.token });
    expect(seen.body).toMatchObject({ user: { operator_type: 'Commercial' }, organizations: [] });
  });

  it('returns 401 without credentials and for an API key', async () => {
    expect((await call(service.baseUrl, 'GET /auth/account')).status).toBe(401);
    expect((await call(service.baseUrl, 'GET /auth/account', { apiKey: 'dka_x' })).status).toBe(401);
  });
});
