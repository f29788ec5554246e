import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  commercialAccount,
  type ReplyBody,
  type TestAccount,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { type AnswerCheck, publishedAnswers } from '../../../test/harness/published-answers.ts';
import { movableClock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { refundTenant } from './index.ts';
import { bill, openShop } from './testing/fleet.ts';

const clock = movableClock(new Date('2026-03-10T09:00:00Z'));
const service = await testService({}, { clock });
const { sql } = service;
const fleet = { sql, clock };
let operator: TestAccount;
let merchant: TestAccount;
let check: AnswerCheck;

beforeAll(async () => {
  operator = await commercialAccount(sql);
  merchant = (await testOrganization(sql)).owner;
  check = await publishedAnswers(service.baseUrl);
});

/** As the operator, with every answer held against the API description. */
async function ask(target: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await call(service.baseUrl, target, { token: operator.token, body, headers });
  expect(check(target, reply)).toEqual([]);
  return reply;
}

async function got(target: string): Promise<ReplyBody> {
  const reply = await ask(target);
  expect([reply.status, reply.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return reply.body;
}

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
  `POST /commercial/organizations/${newId()}/suspend`,
  `POST /commercial/organizations/${newId()}/resume`,
  `GET /commercial/organizations/${newId()}/ledger`,
  'GET /commercial/audit',
];

describe('who may', () => {
  test.each(ROUTES)('%s: 403 for a merchant whatever it sends, 401 for nobody', async (target) => {
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

  test('one is opened, its owner invited, once for a key', async () => {
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

  test('422: an account of the operator owns nothing', async () => {
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

  test('are suspended by hand with a reason, at once, and resumed by hand alone', async () => {
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

describe('money by hand', () => {
  test('a credit does what its preview showed, to the halala, and once for a key', async () => {
    const shop = await openShop(fleet, 'Credited', 'دائن', 3);
    await bill(fleet, '2026-04-02T00:00:00Z');
    const owed = await got(`GET /commercial/tenant-credit/preview?organization_id=${shop.id}&amount_sar=600.37`);
    expect(owed).toEqual({
      organization_id: shop.id,
      amount_sar: 600.37,
      outstanding_sar: 862.5,
      applications: [
        expect.objectContaining({ branch_iv_id: 'BR-1', outstanding_sar: 287.5, applied_sar: 287.5 }),
        expect.objectContaining({ branch_iv_id: 'BR-2', applied_sar: 287.5, due_date: '2026-04-15' }),
        expect.objectContaining({ branch_iv_id: 'BR-3', outstanding_sar: 287.5, applied_sar: 25.37 }),
      ],
      to_wallet_sar: 0,
      wallet_balance_after_sar: 0,
    });
    const body = { organization_id: shop.id, amount_sar: 600.37, note: 'Outage' };
    const key = { 'idempotency-key': newId() };
    const applied = await ask('POST /commercial/tenant-credit', body, key);
    expect([applied.status, applied.body]).toEqual([200, owed]);
    const again = await ask('POST /commercial/tenant-credit', body, key);
    expect([again.headers.get('idempotency-hit'), again.body]).toEqual(['true', owed]);
    const reused = await ask('POST /commercial/tenant-credit', { ...body, amount_sar: 1 }, key);
    expect([reused.status, reused.body.error]).toEqual([422, 'Idempotency key reused']);

    const rest = await got(`GET /commercial/tenant-credit/preview?organization_id=${shop.id}&amount_sar=300`);
    expect(rest).toMatchObject({ outstanding_sar: 262.13, to_wallet_sar: 37.87, wallet_balance_after_sar: 37.87 });
    const { data } = await got(`GET /commercial/organizations/${shop.id}/ledger`);
    expect(data.map((row: ReplyBody) => [row.entry_type, row.direction, row.total_sar]).sort()).toEqual([
      ['branch_fee', 'debit', 25.37],
      ['branch_fee', 'debit', 287.5],
      ['branch_fee', 'debit', 287.5],
      ['credit', 'credit', 600.37],
    ]);
    const adjusted = await got('GET /commercial/balance-adjustments?perPage=1');
    expect(adjusted).toMatchObject({ page: 1, perPage: 1, items: [{ organization_id: shop.id, amount_sar: 600.37 }] });
    expect(adjusted.items[0]).toMatchObject({ entry_type: 'credit', direction: 'credit', note: 'Outage' });
    expect(adjusted.items[0].created_by).toBe(data[0].created_by);
  });

  test('a payment settles the oldest first, ends a suspension for unpaid fees at once, and its rest stays', async () => {
    const shop = await openShop(fleet, 'Late', 'متأخر', 2);
    await bill(fleet, '2026-05-03T00:00:00Z');
    await bill(fleet, '2026-06-20T00:00:00Z');
    const asShop = (target: string) => call(service.baseUrl, target, { token: shop.token });
    await expect.poll(async () => (await asShop('GET /branches')).status).toBe(402);
    const owing = (await asShop('GET /billing')).body;
    expect(owing).toMatchObject({
      status: 'suspended',
      suspension: { by: 'billing', what_to_do: expect.stringContaining('1150.00 SAR') },
      fees: { outstanding_sar: 1150, overdue_sar: 1150 },
      next_charge_date: '2026-07-01',
    });

    const body = { organization_id: shop.id, amount_sar: 575, method: 'bank_transfer', reference: 'SARIE 1' };
    const paid = await ask('POST /commercial/payments', body);
    expect([paid.status, paid.body]).toEqual([
      201,
      expect.objectContaining({ status: 'succeeded', amount_sar: 575, vat_sar: 0, resumed: true, to_wallet_sar: 0 }),
    ]);
    expect(paid.body.applications.map((one: ReplyBody) => one.due_date)).toEqual(['2026-05-15', '2026-05-15']);
    expect((await asShop('GET /branches')).status).toBe(200);
    expect((await asShop('GET /billing')).body).toMatchObject({ status: 'past_due', suspension: null });
    const recent = await got('GET /commercial/recent-payments');
    expect(recent.items[0]).toMatchObject({ id: paid.body.id, organization_name_en: 'Late', reference: 'SARIE 1' });
    const fees = (await asShop('GET /billing/fees')).body;
    expect(fees.data.map((fee: ReplyBody) => fee.status)).toEqual(['overdue', 'overdue', 'paid', 'paid']);
    expect((await asShop('GET /billing/ledger')).body).toMatchObject({ total_count: 3, count: 3 });
  });

  const wrongAmounts = [0, -1, 0.001, 10.005, 1_000_000_000.01, 1e300, '10', null];
  test.each(wrongAmounts)('422, and 400 in a query: an amount of %s', async (amount_sar) => {
    const { id: organization_id } = await openShop(fleet, 'Amounts', 'مبالغ');
    const bodies = [
      ['POST /commercial/tenant-credit', { organization_id, amount_sar, note: 'why' }],
      ['POST /commercial/payments', { organization_id, amount_sar, method: 'cash', reference: 'R' }],
    ] as const;
    for (const [target, body] of bodies) {
      const refused = await ask(target, body);
      expect([refused.status, Object.keys(refused.body.details)]).toEqual([422, ['amount_sar']]);
    }
    if (amount_sar === '10') return;
    const query = `organization_id=${organization_id}&amount_sar=${amount_sar}`;
    const refused = await ask(`GET /commercial/tenant-credit/preview?${query}`);
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, ['amount_sar']]);
    expect((await got(`GET /commercial/organizations/${organization_id}/ledger`)).total_count).toBe(0);
  });

  test('the rest of the refusals', async () => {
    const { id: organization_id } = await openShop(fleet, 'Refused', 'مرفوض');
    const credit = { organization_id, amount_sar: 1, note: 'why' };
    const payment = { organization_id, amount_sar: 1, method: 'cash', reference: 'R' };
    const wrong = [
      ['POST /commercial/tenant-credit', { ...credit, note: ' ' }, 422, 'note'],
      ['POST /commercial/tenant-credit', { ...credit, note: undefined }, 422, 'note'],
      ['POST /commercial/tenant-credit', { ...credit, organization_id: newId() }, 404, 'id'],
      ['POST /commercial/tenant-credit', { ...credit, organization_id: 'x' }, 404, 'id'],
      ['POST /commercial/payments', { ...payment, method: 'barter' }, 422, 'method'],
      ['POST /commercial/payments', { ...payment, reference: '  ' }, 422, 'reference'],
      ['POST /commercial/payments', { ...payment, organization_id: newId() }, 404, 'id'],
      ['GET /commercial/tenant-credit/preview?amount_sar=1', undefined, 400, 'organization_id'],
      [`GET /commercial/tenant-credit/preview?organization_id=${newId()}&amount_sar=1`, undefined, 404, 'id'],
      [`GET /commercial/organizations/${newId()}/ledger`, undefined, 404, 'id'],
      [`GET /commercial/organizations/${organization_id}/ledger?limit=0`, undefined, 400, 'limit'],
      ['GET /commercial/audit?organization_id=x', undefined, 400, 'organization_id'],
      ['GET /commercial/audit?from=yesterday', undefined, 400, 'from'],
    ] as const;
    for (const [target, body, status, field] of wrong) {
      const refused = await ask(target, body);
      expect([target, refused.status, Object.keys(refused.body.details)]).toEqual([target, status, [field]]);
    }
  });
});

describe('the pager', () => {
  test.each([
    ['', 1, 25],
    ['page=2&perPage=3', 2, 3],
    ['perPage=100', 1, 100],
    ['perPage=101', 1, 100],
    ['perPage=99999999999999999999', 1, 100],
    ['perPage=0&page=0', 1, 25],
    ['perPage=-5&page=-1', 1, 25],
    ['perPage=many&page=first', 1, 25],
    ['perPage=&page=', 1, 25],
    ['perPage=2.5&page=1.5', 1, 25],
  ])('?%s', async (query, page, perPage) => {
    for (const list of ['recent-payments', 'balance-adjustments']) {
      const answer = await got(`GET /commercial/${list}?${query}`);
      expect(Object.keys(answer)).toEqual(['page', 'perPage', 'totalItems', 'items']);
      expect([answer.page, answer.perPage]).toEqual([page, perPage]);
      expect(answer.items.length).toBe(Math.max(0, Math.min(perPage, answer.totalItems - (page - 1) * perPage)));
    }
  });

  test('pages do not overlap, newest first', async () => {
    const { id: organization_id } = await openShop(fleet, 'Pages', 'صفحات');
    for (let number = 1; number <= 5; number += 1) {
      clock.advanceMs(1_000);
      await ask('POST /commercial/payments', { organization_id, amount_sar: number, method: 'cash', reference: 'P' });
      await ask('POST /commercial/tenant-credit', { organization_id, amount_sar: number, note: 'P' });
    }
    for (const list of ['recent-payments', 'balance-adjustments']) {
      const pages = [1, 2, 3].map((page) => got(`GET /commercial/${list}?perPage=2&page=${page}`));
      const items = (await Promise.all(pages)).flatMap((page) => page.items);
      expect(items.slice(0, 5).map((row: ReplyBody) => row.amount_sar)).toEqual([5, 4, 3, 2, 1]);
    }
  });
});

describe('the merchant’s own side', () => {
  test('is for those who may read Settings of the whole organization', async () => {
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
