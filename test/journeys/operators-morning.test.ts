import { expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../src/modules/audit/index.ts';
import { formOf } from '../../src/modules/branches/testing/images.ts';
import { bill, openShop } from '../../src/modules/commercial/fleet/testing/fleet.ts';
import { attachTenant, createPartner, savePayee } from '../../src/modules/commercial/partners/index.ts';
import { movableClock } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { call, commercialAccount, type ReplyBody, testService } from '../harness/index.ts';

const clock = movableClock(new Date('2026-01-20T06:00:00Z'));
const service = await testService({}, { clock });
const fleet = { sql: service.sql, clock };

/** What an operator does before the first coffee, and a merchant may not. */
test('the operator’s morning', async () => {
  const late = await openShop(fleet, 'Late Dates', 'تمور متأخرة', 2);
  const prompt = await openShop(fleet, 'Prompt Pharmacy', 'صيدلية سريعة', 1);
  const { token } = await commercialAccount(service.sql);
  const partner = await addPartnerOf(prompt.id);
  const done: string[] = [];
  const ask = async (target: string, body?: unknown, headers: Record<string, string> = {}): Promise<ReplyBody> => {
    done.push(target);
    const reply = await call(service.baseUrl, target, { token, body, headers });
    expect([target, reply.status, reply.text.slice(0, 200)]).toEqual([
      target,
      expect.toBeOneOf([200, 201]),
      expect.anything(),
    ]);
    return reply.body;
  };

  // February's fees come, one of the two pays; in the middle of March one is overdue for too long.
  await bill(fleet, '2026-02-01T05:00:00Z');
  await ask('POST /commercial/payments', {
    organization_id: prompt.id,
    amount_sar: 600,
    method: 'bank_transfer',
    reference: 'SARIE 77',
  });
  await bill(fleet, '2026-03-01T05:00:00Z');
  expect(await bill(fleet, '2026-03-18T05:00:00Z')).toMatchObject({ suspended: 1, failed: 0 });

  const overview = await ask('GET /commercial/accounting-overview');
  expect(overview.totals).toEqual({
    cash_collected_sar: 600,
    cash_collected_30d_sar: 0,
    wallet_balance_sar: 25,
    outstanding_branch_fees_sar: 1150,
    overdue_branch_fees_sar: 1150,
    credits_issued_sar: 0,
    refund_like_debits_sar: 0,
    recognized_vat_sar: 75,
    net_revenue_sar: 500,
  });
  expect(overview.receivables).toEqual({
    current_sar: 0,
    days_1_to_30_sar: 575,
    days_31_to_60_sar: 575,
    days_61_plus_sar: 0,
    pending_rows: 0,
    overdue_rows: 4,
  });
  expect(overview.reconciliation).toEqual({
    successful_payments_sar: 600,
    ledger_credits_sar: 600,
    variance_sar: 0,
  });

  const { data } = await ask('GET /commercial/organizations?status=suspended');
  expect(data).toMatchObject([{ id: late.id, suspended_by: 'billing', outstanding_sar: 1150, overdue_sar: 1150 }]);
  expect((await call(service.baseUrl, 'GET /orders', { token: late.token })).status).toBe(402);

  // Half of it was our own fault.
  const credit = { organization_id: late.id, amount_sar: 575, note: 'Two weeks without the till' };
  const shown = await ask(`GET /commercial/tenant-credit/preview?organization_id=${late.id}&amount_sar=575`);
  expect(shown.applications.map((one: ReplyBody) => [one.due_date, one.applied_sar])).toEqual([
    ['2026-02-15', 287.5],
    ['2026-02-15', 287.5],
  ]);
  const key = { 'idempotency-key': newId() };
  expect(await ask('POST /commercial/tenant-credit', credit, key)).toEqual(shown);
  expect(await ask('POST /commercial/tenant-credit', credit, key)).toEqual(shown);
  expect((await call(service.baseUrl, 'GET /orders', { token: late.token })).status).toBe(200);

  const after = await ask('GET /commercial/accounting-overview');
  expect(after.totals).toMatchObject({
    outstanding_branch_fees_sar: 575,
    overdue_branch_fees_sar: 575,
    credits_issued_sar: 575,
    recognized_vat_sar: 150,
    net_revenue_sar: 425,
  });
  const adjustments = await ask('GET /commercial/balance-adjustments');
  expect(adjustments).toMatchObject({
    totalItems: 1,
    items: [{ organization_name_en: 'Late Dates', amount_sar: 575 }],
  });
  const audit = await ask(`GET /commercial/audit?organization_id=${late.id}`);
  expect(audit.data.map((entry: ReplyBody) => entry.action).sort()).toEqual(['credit', 'resume']);
  expect((await ask('GET /commercial/fleet-metrics')).organizations).toMatchObject([
    { organization_id: late.id, is_active: true, branch_count: 2, collected_sar: 0 },
    { organization_id: prompt.id, is_active: true, branch_count: 1, collected_sar: 600 },
  ]);

  // The partner who brought the prompt one gets its share, by bank, with the receipt.
  const rates = await ask('GET /commercial/erp-commission-rates');
  expect(rates.items[0].tenants).toMatchObject([{ commission_sar: 60, paid_sar: 0, due_sar: 60 }]);
  const receipt = Buffer.from('%PDF-1.7\nsixty riyals\n%%EOF\n');
  const payout = await call(service.baseUrl, 'POST /commercial/partner-commissions', {
    token,
    raw: formOf({
      partner_id: partner.id,
      partner_user_id: partner.payeeId,
      amount_sar: '60.00',
      period: '2026-02',
      bank_reference: 'SNB 4711',
      paid_at: '2026-03-18T08:30:00+03:00',
      proof: receipt,
    }),
  });
  expect([payout.status, payout.body]).toEqual([201, expect.objectContaining({ amount_sar: 60, has_proof: true })]);
  const proofAddress = `GET /commercial/partner-commissions/${payout.body.id}/proof`;
  const download = await call(service.baseUrl, proofAddress, { token });
  expect([download.status, download.headers.get('content-type'), download.text]).toEqual([
    200,
    'application/pdf',
    receipt.toString(),
  ]);
  done.push('POST /commercial/partner-commissions', proofAddress);
  const settled = await ask('GET /commercial/erp-commission-rates');
  expect(settled.items[0].tenants).toMatchObject([{ commission_sar: 60, paid_sar: 60, due_sar: 0 }]);

  // All of it again, as a merchant.
  for (const target of new Set(done)) {
    const body = target.startsWith('POST') ? credit : undefined;
    const refused = await call(service.baseUrl, target, { token: prompt.token, body });
    expect([target, refused.status, refused.body.error]).toEqual([target, 403, 'Forbidden']);
  }
});

/** Ten percent of what the shop pays, and a payee to send it to. */
async function addPartnerOf(organizationId: string): Promise<{ id: string; payeeId: string }> {
  const now = clock.now();
  return inTransaction(service.sql, async (tx) => {
    const { id } = await createPartner(tx, { name: 'Rawabi', erp: 'Odoo', ratePercent: '10' }, SYSTEM_ACTOR, now);
    await attachTenant(tx, id, organizationId, SYSTEM_ACTOR, now);
    const person = { partnerId: id, name: 'Fahad', email: 'fahad@rawabi.example', iban: 'SA0380000000608010167519' };
    const payee = await savePayee(tx, service.platform.box, person, SYSTEM_ACTOR, now);
    return { id, payeeId: payee.id };
  });
}
