import { describe, expect, test } from 'vitest';
import { call, type ReplyBody, testAccount } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { refundTenant } from './index.ts';
import { openShop } from './testing/fleet.ts';
import { startCommercial } from './testing/start-commercial.ts';

const { service, sql, clock, fleet, operator, merchant, check, ask, got } = await startCommercial();

const ROUTES = [
  'GET /commercial/accounting-overview',
  'GET /commercial/fleet-metrics',
  'GET /commercial/recent-payments',
  'GET /commercial/balance-adjustments',
  'GET /commercial/tenant-credit/preview',
  'POST /commercial/tenant-credit',
  'POST /commercial/payments',
  'GET /commercial/organizations',
  'POST /commercial/organizations',
  'POST /commercial/users/reset-totp',
  'POST /commercial/users/password-reset',
  `POST /commercial/organizations/${newId()}/suspend`,
  `POST /commercial/organizations/${newId()}/resume`,
  `GET /commercial/organizations/${newId()}/ledger`,
  'GET /commercial/audit',
];

describe('access', () => {
  test.each(ROUTES)('%s returns 403 for a merchant with any body, 401 without a token', async (target) => {
    const [method] = target.split(' ');
    const raw = method === 'POST' ? '{ this is no JSON' : undefined;
    const headers = { 'content-type': 'application/json' };
    const refused = await call(service.baseUrl, target, { token: merchant.token, raw, headers });
    expect([refused.status, refused.body]).toEqual([
      403,
      { code: 403, error: 'Forbidden', details: expect.anything() },
    ]);
    expect((await call(service.baseUrl, target, { raw, headers })).status).toBe(401);
  });

  test.each([
    'GET /commercial/customers',
    'GET /commercial/tenant-credit',
    'GET /commercial/billing-impact',
    'GET /commercial/partners/billing-impact',
    'GET /commercial/partner-billing-impact',
    'GET /commercial/payments',
  ])('404: %s', async (target) => {
    expect((await call(service.baseUrl, target, { token: operator.token })).status).toBe(404);
    expect((await call(service.baseUrl, target, { token: merchant.token })).status).toBe(404);
  });
});

describe('organizations', () => {
  const body = { name_en: 'Hail Groceries', name_ar: 'بقالات حائل', owner_email: 'owner@hail.example', plan: 'growth' };

  test('are opened and their owner invited, once for an idempotency key', async () => {
    const key = { 'idempotency-key': newId() };
    const opened = await ask('POST /commercial/organizations', body, key);
    expect(opened.status, opened.text).toBe(201);
    expect(opened.body).toMatchObject({
      name_en: 'Hail Groceries',
      name_ar: 'بقالات حائل',
      plan: 'growth',
      status: 'active',
      branch_count: 0,
      user_count: 0,
      balance_sar: 0,
      invite_url: expect.stringMatching(/\/invite#token=dki_/),
      resets_account: false,
      affected_organizations: [],
    });
    const again = await ask('POST /commercial/organizations', body, key);
    expect([again.status, again.headers.get('idempotency-hit'), again.body]).toEqual([201, 'true', opened.body]);

    const token = opened.body.invite_url.split('#token=')[1];
    const acceptance = { token, name: 'Hala', password: 'correct horse battery' };
    const accepted = await call(service.baseUrl, 'POST /auth/invitations/accept', { body: acceptance });
    expect(accepted.status, accepted.text).toBe(200);
    const own = await call(service.baseUrl, 'GET /billing', { token: accepted.body.access_token });
    expect(own.body).toMatchObject({ organization_id: opened.body.id, plan: 'growth', branch_fee_sar: 220 });

    const found = await got(`GET /commercial/organizations?search=${encodeURIComponent('بقالات')}`);
    expect(found.data).toMatchObject([{ id: opened.body.id, user_count: 1 }]);
    const audited = await got(`GET /commercial/audit?organization_id=${opened.body.id}`);
    expect(audited.data.map(({ action, actor }: ReplyBody) => [action, actor.id])).toEqual([
      ['create', operator.userId],
      ['create', operator.userId],
    ]);
  });

  test.each([
    [{ plan: 'golden' }, 'plan'],
    [{ plan: undefined }, 'plan'],
    [{ name_en: '' }, 'name_en'],
    [{ name_ar: '   ' }, 'name_ar'],
    [{ owner_email: 'nobody' }, 'owner_email'],
  ])('422: %j', async (change, field) => {
    const before = await got('GET /commercial/organizations');
    const refused = await ask('POST /commercial/organizations', { ...body, ...change });
    expect([refused.status, refused.body.error]).toEqual([422, 'Validation failed']);
    expect(Object.keys(refused.body.details)).toEqual([field]);
    expect((await got('GET /commercial/organizations')).total_count).toBe(before.total_count);
  });

  test('returns 422 when the owner is an account of the operator', async () => {
    const refused = await ask('POST /commercial/organizations', { ...body, owner_email: operator.email });
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([422, ['owner_email']]);
  });

  test('are listed by status, and searched by either name', async () => {
    const { id } = await openShop(fleet, 'Qassim Dates', 'تمور القصيم');
    await ask(`POST /commercial/organizations/${id}/suspend`, { reason: 'a test' });
    await sql`update organizations set is_active = false where id = ${(await openShop(fleet, 'Closed', 'مغلق')).id}`;
    const all = await got('GET /commercial/organizations?limit=100');
    for (const status of ['active', 'suspended', 'inactive']) {
      const { data, total_count } = await got(`GET /commercial/organizations?limit=100&status=${status}`);
      expect(data).toEqual(all.data.filter((row: ReplyBody) => row.status === status));
      expect(total_count).toBe(data.length);
      expect(total_count).toBeGreaterThan(0);
    }
    for (const search of ['qassim', 'DATES', 'تمور', 'القصيم']) {
      const { data, count } = await got(`GET /commercial/organizations?search=${encodeURIComponent(search)}`);
      expect([count, data[0].id]).toEqual([1, id]);
    }
    const page = await got('GET /commercial/organizations?limit=2&page=2');
    expect([page.count, page.page, page.data]).toEqual([2, 2, all.data.slice(2, 4)]);
    expect((await ask('GET /commercial/organizations?status=gone')).status).toBe(400);
    expect((await ask('GET /commercial/organizations?limit=101')).status).toBe(400);
  });

  test('are suspended by hand with a reason, at once, and resumed only by hand', async () => {
    const shop = await openShop(fleet, 'Suspended', 'موقوف');
    const asShop = (target: string) => call(service.baseUrl, target, { token: shop.token });
    expect((await asShop('GET /branches')).status).toBe(200);
    const suspended = await ask(`POST /commercial/organizations/${shop.id}/suspend`, { reason: 'Agreement ended' });
    expect(suspended.body).toMatchObject({
      status: 'suspended',
      suspended_by: 'operator',
      suspension_reason: 'Agreement ended',
    });
    expect((await asShop('GET /branches')).status).toBe(402);
    expect((await asShop('GET /billing')).body).toMatchObject({
      status: 'suspended',
      suspension: { by: 'operator', reason: 'Agreement ended', what_to_do: expect.stringContaining('operator') },
    });
    for (const target of ['GET /billing/fees', 'GET /billing/ledger']) expect((await asShop(target)).status).toBe(200);

    // A payment does not end what was done by hand.
    const payment = { organization_id: shop.id, amount_sar: 10, method: 'cash', reference: 'R-1' };
    expect((await ask('POST /commercial/payments', payment)).body).toMatchObject({ resumed: false });
    expect((await asShop('GET /branches')).status).toBe(402);

    const twice = await ask(`POST /commercial/organizations/${shop.id}/suspend`, { reason: 'again' });
    expect([twice.status, twice.body.error]).toEqual([409, 'Already suspended']);
    const resumed = await ask(`POST /commercial/organizations/${shop.id}/resume`, { reason: 'renewed' });
    expect(resumed.body).toMatchObject({
      status: 'active',
      suspended_at: null,
      suspended_by: '',
      suspension_reason: '',
    });
    expect((await asShop('GET /branches')).status).toBe(200);
    const again = await ask(`POST /commercial/organizations/${shop.id}/resume`, { reason: 'renewed' });
    expect([again.status, again.body.error]).toEqual([409, 'Not suspended']);
    const { data } = await got(`GET /commercial/audit?organization_id=${shop.id}`);
    expect(data.map((entry: ReplyBody) => entry.action)).toEqual(['resume', 'record-payment', 'suspend']);
  });

  test.each(['suspend', 'resume'])('404 and 422: %s', async (verb) => {
    for (const id of [newId(), 'nonsense']) {
      const unknown = await ask(`POST /commercial/organizations/${id}/${verb}`, { reason: 'why' });
      expect([unknown.status, unknown.body.error]).toEqual([404, 'Organization not found']);
    }
    const { id } = await openShop(fleet, 'Reasons', 'أسباب');
    for (const body of [{}, { reason: '' }, { reason: '  ' }, { reason: 5 }, { reason: 'x'.repeat(1001) }]) {
      const refused = await ask(`POST /commercial/organizations/${id}/${verb}`, body);
      expect([refused.status, Object.keys(refused.body.details)]).toEqual([422, ['reason']]);
    }
  });
});

describe('GET /billing', () => {
  test('requires read on Settings without a branch restriction', async () => {
    const shop = await openShop(fleet, 'Own', 'خاص', 1);
    const withheld = await testAccount(sql, shop.id, 'member', { withheld: ['read:Settings'] });
    const confined = await testAccount(sql, shop.id, 'owner', { branchId: newId() });
    for (const target of ['GET /billing', 'GET /billing/ledger', 'GET /billing/fees']) {
      expect((await call(service.baseUrl, target, { token: shop.token })).status).toBe(200);
      for (const { token } of [withheld, confined, operator]) {
        expect((await call(service.baseUrl, target, { token })).status).toBe(403);
      }
      expect((await call(service.baseUrl, target)).status).toBe(401);
    }
    for (const target of ['GET /billing/ledger?page=0', 'GET /billing/fees?limit=1000']) {
      expect((await call(service.baseUrl, target, { token: shop.token })).status).toBe(400);
    }
    const answer = await call(service.baseUrl, 'GET /billing', { token: shop.token });
    expect(check('GET /billing', answer)).toEqual([]);
    expect(answer.body).toMatchObject({ plan: 'standard', status: 'active', branch_fee_sar: 250, vat_percent: 15 });
  });

  test('shows a refund', async () => {
    const shop = await openShop(fleet, 'Refunded', 'مسترد');
    const payment = { organization_id: shop.id, amount_sar: 100, method: 'cash', reference: 'R' };
    await ask('POST /commercial/payments', payment);
    const actor = { kind: 'cli', id: 'cli', name: 'cli', ip: '', requestId: '' } as const;
    const refund = { organizationId: shop.id, amountSar: '40.00', note: 'paid twice' };
    await inTransaction(sql, (tx) => refundTenant(tx, actor, refund, clock.now()));
    expect((await call(service.baseUrl, 'GET /billing', { token: shop.token })).body).toMatchObject({
      balance_sar: 60,
    });
    expect((await got('GET /commercial/balance-adjustments')).items[0]).toMatchObject({
      entry_type: 'refund',
      direction: 'debit',
      amount_sar: 40,
    });
  });
});
