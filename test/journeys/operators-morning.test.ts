import { expect, test } from 'vitest';
import { bill, openShop } from '../../src/modules/commercial/testing/fleet.ts';
import { movableClock } from '../../src/platform/clock.ts';
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

  // All of it again, as a merchant.
  for (const target of new Set(done)) {
    const body = target.startsWith('POST') ? credit : undefined;
    const refused = await call(service.baseUrl, target, { token: prompt.token, body });
    expect([target, refused.status, refused.body.error]).toEqual([target, 403, 'Forbidden']);
  }
});
