import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type ReplyBody,
  type TestAccount,
  testAccount,
  testService,
} from '../../../../test/harness/index.ts';
import { type AnswerCheck, publishedAnswers } from '../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { listChargeableAssignments, runBilling } from './index.ts';
import { readPdf } from './invoices/testing/read-pdf.ts';
import { bill, openShop } from './testing/fleet.ts';

const clock = movableClock(new Date('2026-03-10T09:00:00Z'));
const service = await testService({ BILLING_PAYMENTS: 'sandbox' }, { clock });
const { sql } = service;
const fleet = { sql, clock };
const SELLER = { name: 'Operator LLC', nameAr: 'المشغّل', vatNumber: '300000000000003', address: 'Riyadh' };
let operator: TestAccount;
let check: AnswerCheck;

beforeAll(async () => {
  operator = await commercialAccount(sql);
  check = await publishedAnswers(service.baseUrl);
});

async function ask(token: string, target: string, body?: unknown, headers = {}): Promise<ReplyBody> {
  const reply = await call(service.baseUrl, target, { token, body, headers });
  expect(check(target, reply)).toEqual([]);
  return { ...reply.body, httpStatus: reply.status };
}

async function billWithInvoices(at: string) {
  clock.moveTo(new Date(at));
  return runBilling({ sql, clock, log: pino({ level: 'silent' }) }, { listChargeableAssignments, seller: SELLER });
}

const invoicesOf = async (token: string) => (await ask(token, 'GET /billing/invoices')).data as ReplyBody[];

type Shop = Awaited<ReturnType<typeof openShop>>;

async function checkPdfs(one: Shop, other: Shop, number: string): Promise<void> {
  const own = `/billing/invoices/${number}/pdf`;
  const fromFleet = `/commercial/organizations/${one.id}/invoices/${number}/pdf`;
  const get = (token: string | undefined, path: string) =>
    fetch(`${service.baseUrl}/api/v1${path}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  const reply = await get(one.token, `${own}?language=en`);
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${number}.pdf"`,
    'cache-control': 'private, no-store',
  });
  const pdf = Buffer.from(await reply.arrayBuffer());
  const { texts } = readPdf(pdf);
  expect(texts).toEqual(
    expect.arrayContaining([number, 'One', 'Operator LLC', 'Branch Branch 1', '500.00', '75.00', '575.00']),
  );
  // The operator's is the same file, and Arabic comes first unless asked otherwise.
  expect(Buffer.from(await (await get(operator.token, `${fromFleet}?language=en`)).arrayBuffer()).equals(pdf)).toBe(
    true,
  );
  expect(readPdf(Buffer.from(await (await get(operator.token, fromFleet)).arrayBuffer())).texts[0]).toBe(
    'فاتورة ضريبية',
  );

  const statuses = await Promise.all([
    get(undefined, own),
    get(other.token, own),
    get(one.token, '/billing/invoices/nonsense/pdf'),
    get(one.token, `${own}?language=fr`),
    get(one.token, fromFleet),
    get(operator.token, `/commercial/organizations/${other.id}/invoices/${number}/pdf`),
    get(operator.token, `/commercial/organizations/nonsense/invoices/${number}/pdf`),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([401, 404, 404, 400, 403, 404, 404]);
}

describe('tax invoices for fees', () => {
  it('are issued once for each month, numbered without gaps over all organizations', async () => {
    clock.moveTo(new Date('2026-03-10T09:00:00Z'));
    const [one, other] = [await openShop(fleet, 'One', 'واحد', 2), await openShop(fleet, 'Other', 'آخر', 1)];
    await sql`update organizations set vat_number = '310122393500003', address = 'Jeddah' where id = ${one.id}`;
    // Charged before the operator had a VAT number: issued by the first run that has one.
    await bill(fleet, '2026-04-02T09:00:00Z');
    expect(await invoicesOf(one.token)).toEqual([]);
    await billWithInvoices('2026-05-02T09:00:00Z');
    await Promise.all([billWithInvoices('2026-05-03T09:00:00Z'), billWithInvoices('2026-05-03T09:00:00Z')]);
    const rows = await invoicesOf(one.token);
    expect(rows.map(({ period }) => period)).toEqual(['2026-05-01', '2026-04-01']);
    expect(rows[0]).toMatchObject({
      amount_sar: 500,
      vat_sar: 75,
      total_sar: 575,
      outstanding_sar: 575,
      status: 'pending',
    });
    const numbers = [...rows, ...(await invoicesOf(other.token))].map(({ number }) => number as string);
    expect(numbers.sort()).toEqual(['INV-000001', 'INV-000002', 'INV-000003', 'INV-000004']);
    clock.moveTo(new Date('2026-05-20T09:00:00Z'));
    expect((await invoicesOf(one.token)).map(({ status }) => status)).toEqual(['overdue', 'overdue']);

    const number = rows[0]?.number;
    const invoice = await ask(one.token, `GET /billing/invoices/${number}`);
    expect(invoice).toMatchObject({
      seller: { name: 'Operator LLC', vat_number: '300000000000003' },
      buyer: { name_en: 'One', vat_number: '310122393500003', address: 'Jeddah' },
      lines: [
        {
          kind: 'branch',
          code: 'BR-1',
          name_en: 'Branch 1',
          amount_sar: 250,
          vat_percent: 15,
          vat_sar: 37.5,
          total_sar: 287.5,
        },
        { code: 'BR-2' },
      ],
    });
    const tlv = Buffer.from(invoice.qr, 'base64');
    expect([tlv[0], tlv.subarray(2, 2 + (tlv[1] ?? 0)).toString()]).toEqual([1, 'المشغّل']);
    expect(tlv.toString()).toContain('575.00');

    // Stored as issued: a new name does not change it, and neither does anyone else.
    await sql`update organizations set name_en = 'Renamed' where id = ${one.id}`;
    expect((await ask(one.token, `GET /billing/invoices/${number}`)).buyer.name_en).toBe('One');
    await expect(sql`update fee_invoices set seller_name = 'x'`).rejects.toThrow('append-only');
    expect((await ask(other.token, `GET /billing/invoices/${number}`)).httpStatus).toBe(404);
    expect((await ask(one.token, 'GET /billing/invoices/nonsense')).httpStatus).toBe(404);

    await checkPdfs(one, other, String(number));

    const list = `GET /commercial/organizations/${one.id}/invoices`;
    expect((await ask(operator.token, list)).total_count).toBe(2);
    expect((await call(service.baseUrl, list, { token: one.token })).status).toBe(403);
    expect((await ask(operator.token, 'GET /commercial/organizations/nonsense/invoices')).httpStatus).toBe(404);
  });

  it('are not issued and leave no gap when the run fails', async () => {
    clock.moveTo(new Date('2026-05-20T09:00:00Z'));
    const shop = await openShop(fleet, 'Failing', 'متعثر', 1);
    await sql`alter table fee_invoices add constraint broken check (period < '2026-06-01') not valid`;
    expect((await billWithInvoices('2026-06-02T09:00:00Z')).failed).toBeGreaterThan(0);
    await sql`alter table fee_invoices drop constraint broken`;
    expect((await billWithInvoices('2026-06-02T10:00:00Z')).failed).toBe(0);
    expect(await invoicesOf(shop.token)).toHaveLength(1);
    const [row] = await sql`
      select max(position) = count(*) as is_gapless, max(position) = (select last_number from fee_invoice_counters) as is_last
      from fee_invoices`;
    expect(row).toEqual({ is_gapless: true, is_last: true });
  });
});

describe('online payments', () => {
  it('pay the oldest fees first, exactly once, under concurrent confirmations', async () => {
    clock.moveTo(new Date('2026-06-10T09:00:00Z'));
    const shop = await openShop(fleet, 'Payer', 'دافع', 1);
    await bill(fleet, '2026-08-02T09:00:00Z');
    const key = { 'idempotency-key': newId() };
    const opened = await ask(shop.token, 'POST /billing/payments', { amount_sar: 300 }, key);
    expect(opened).toMatchObject({ httpStatus: 201, status: 'pending', amount_sar: 300, finished: null });
    expect(opened.checkout_url).toMatch(new RegExp(`/settings/billing\\?checkout=${opened.id}$`));
    expect((await ask(shop.token, 'POST /billing/payments', { amount_sar: 300 }, key)).id).toBe(opened.id);
    expect((await ask(shop.token, 'GET /billing')).fees.outstanding_sar).toBe(575);

    const confirm = `POST /billing/payments/${opened.id}/confirm`;
    const confirmed = await Promise.all(Array.from({ length: 5 }, () => ask(shop.token, confirm)));
    for (const one of confirmed) expect(one).toMatchObject({ httpStatus: 200, status: 'succeeded' });
    expect(await ask(shop.token, confirm)).toEqual(confirmed[0]);
    const billing = await ask(shop.token, 'GET /billing');
    expect([billing.fees.outstanding_sar, billing.balance_sar]).toEqual([275, 0]);
    const payments = await sql`select method, total_sar from billing_payments where organization_id = ${shop.id}`;
    expect(payments).toEqual([{ method: 'online', total_sar: 300 }]);
    expect((await invoicesOf(shop.token)).length).toBe(0);
    expect((await ask(shop.token, `POST /billing/payments/${opened.id}/cancel`)).httpStatus).toBe(409);
    const actions = await sql<{ action: string }[]>`
      select action from audit_entries where organization_id = ${shop.id} and action like '%payment' order by at, id`;
    expect(actions.map(({ action }) => action)).toEqual(['open-payment', 'record-payment']);
  });

  it('end a suspension for unpaid fees', async () => {
    const shop = await openShop(fleet, 'Late payer', 'متأخر', 1);
    await bill(fleet, '2026-09-02T09:00:00Z');
    await bill(fleet, '2026-10-20T09:00:00Z');
    expect((await call(service.baseUrl, 'GET /branches', { token: shop.token })).status).toBe(402);
    const { fees } = await ask(shop.token, 'GET /billing');
    const { id } = await ask(shop.token, 'POST /billing/payments', { amount_sar: fees.outstanding_sar });
    expect((await ask(shop.token, `POST /billing/payments/${id}/confirm`)).status).toBe('succeeded');
    expect((await call(service.baseUrl, 'GET /branches', { token: shop.token })).status).toBe(200);
  });

  it('can be cancelled, and a cancelled one is not confirmed', async () => {
    const shop = await openShop(fleet, 'Canceller', 'ملغ');
    const { id } = await ask(shop.token, 'POST /billing/payments', { amount_sar: 10 });
    for (const _ of [1, 2]) {
      expect((await ask(shop.token, `POST /billing/payments/${id}/cancel`)).status).toBe('cancelled');
    }
    expect((await ask(shop.token, `POST /billing/payments/${id}/confirm`)).httpStatus).toBe(409);
    expect((await ask(shop.token, `GET /billing/payments/${id}`)).status).toBe('cancelled');
    expect((await ask(shop.token, 'GET /billing/payments')).data).toMatchObject([{ id, status: 'cancelled' }]);
    expect((await ask(shop.token, 'GET /billing')).balance_sar).toBe(0);
  });

  it('expire after 24 hours, so that abandoned ones do not block new ones', async () => {
    const openedAt = new Date('2026-10-21T09:00:00.000Z');
    clock.moveTo(openedAt);
    const shop = await openShop(fleet, 'Abandoner', 'تارك');
    const { id } = await ask(shop.token, 'POST /billing/payments', { amount_sar: 10 });
    await sql`
      insert into billing_checkouts (organization_id, id, amount_sar, status, created_by, created)
      select ${shop.id}::uuid, gen_random_uuid(), 1, 'pending', 'tests', ${openedAt} from generate_series(1, 49)`;
    const again = () => ask(shop.token, 'POST /billing/payments', { amount_sar: 20 });
    clock.moveTo(new Date('2026-10-22T08:59:59.999Z'));
    expect((await again()).httpStatus).toBe(409);
    expect((await ask(shop.token, `GET /billing/payments/${id}`)).status).toBe('pending');

    clock.moveTo(new Date('2026-10-22T09:00:00.000Z'));
    const expired = { id, status: 'cancelled', finished: '2026-10-22T09:00:00.000Z' };
    expect(await ask(shop.token, `GET /billing/payments/${id}`)).toMatchObject(expired);
    const { data } = await ask(shop.token, 'GET /billing/payments?limit=100');
    expect(new Set((data as ReplyBody[]).map(({ status }) => status))).toEqual(new Set(['cancelled']));
    expect((await ask(shop.token, `POST /billing/payments/${id}/confirm`)).httpStatus).toBe(409);
    expect(await ask(shop.token, `POST /billing/payments/${id}/cancel`)).toMatchObject(expired);
    expect(await again()).toMatchObject({ httpStatus: 201, status: 'pending' });
    expect(await ask(shop.token, `GET /billing/payments/${id}`)).toMatchObject(expired);
    expect((await ask(shop.token, 'GET /billing')).balance_sar).toBe(0);
  });

  it('refuse invalid amounts, unknown ids, members without the grant, and more than 50 pending', async () => {
    const shop = await openShop(fleet, 'Refused', 'مرفوض');
    for (const amount_sar of [0, -1, 1.001, 1e12, 'x']) {
      expect((await ask(shop.token, 'POST /billing/payments', { amount_sar })).httpStatus).toBe(422);
    }
    for (const id of [newId(), 'nonsense']) {
      expect((await ask(shop.token, `GET /billing/payments/${id}`)).httpStatus).toBe(404);
      expect((await ask(shop.token, `POST /billing/payments/${id}/confirm`)).httpStatus).toBe(404);
    }
    const member = await testAccount(sql, shop.id, 'member');
    const body = { amount_sar: 5 };
    expect((await call(service.baseUrl, 'POST /billing/payments', { token: member.token, body })).status).toBe(403);
    await sql`
      insert into billing_checkouts (organization_id, id, amount_sar, status, created_by, created)
      select ${shop.id}::uuid, gen_random_uuid(), 1, 'pending', 'tests', now() from generate_series(1, 50)`;
    const refused = await call(service.baseUrl, 'POST /billing/payments', { token: shop.token, body });
    expect([refused.status, refused.headers.get('x-error-reason')]).toEqual([409, 'too-many-pending-payments']);
  });
});

describe('plans', () => {
  it('change their price for months that are charged later', async () => {
    clock.moveTo(new Date('2026-11-10T09:00:00Z'));
    const shop = await openShop(fleet, 'Priced', 'مسعّر', 1);
    await bill(fleet, '2026-12-02T09:00:00Z');
    const changed = await ask(operator.token, 'PATCH /commercial/plans/standard', { branch_fee_sar: 300.5 });
    expect(changed).toMatchObject({ httpStatus: 200, code: 'standard', branch_fee_sar: 300.5, vat_percent: 15 });
    await bill(fleet, '2026-12-03T09:00:00Z');
    await bill(fleet, '2027-01-02T09:00:00Z');
    const fees = (await ask(shop.token, 'GET /billing/fees')).data as ReplyBody[];
    expect(fees.map(({ amount_sar }) => amount_sar)).toEqual([300.5, 250]);
    expect(await ask(operator.token, 'PATCH /commercial/plans/standard', { branch_fee_sar: 250 })).toMatchObject({
      branch_fee_sar: 250,
    });
    const audited = await sql`
      select changed_fields from audit_entries where resource_id = 'standard' and action = 'update'`;
    expect(audited).toEqual([{ changed_fields: ['branch_fee_sar'] }, { changed_fields: ['branch_fee_sar'] }]);
    const listed = (await ask(operator.token, 'GET /commercial/plans')).items as ReplyBody[];
    expect(listed).toContainEqual(
      await ask(operator.token, 'GET /commercial/plans/standard').then(({ httpStatus: _, ...plan }) => plan),
    );
  });

  it('refuse invalid prices and unknown codes', async () => {
    for (const body of [{ branch_fee_sar: -1 }, { branch_fee_sar: 1.001 }, { vat_percent: 101 }]) {
      expect((await ask(operator.token, 'PATCH /commercial/plans/standard', body)).httpStatus).toBe(422);
    }
    expect((await ask(operator.token, 'PATCH /commercial/plans/none', { branch_fee_sar: 1 })).httpStatus).toBe(404);
    expect((await ask(operator.token, 'GET /commercial/plans/none')).httpStatus).toBe(404);
  });
});
