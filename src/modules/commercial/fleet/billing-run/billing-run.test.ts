import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { call, type TestOrganization, testOrganization, testService } from '../../../../../test/harness/index.ts';
import { movableClock } from '../../../../platform/clock.ts';
import { inTransaction } from '../../../../platform/database/index.ts';
import { newId } from '../../../../platform/ids.ts';
import { addDays } from '../../../../platform/local-day.ts';
import { type Actor, SYSTEM_ACTOR } from '../../../audit/index.ts';
import { setSuspended } from '../../../identity/index.ts';
import { addMonths, billingDay, periodOf, startOfBillingDay } from '../../billing/index.ts';
import { attachTenant, createPartner } from '../../partners/index.ts';
import { applyTenantCredit } from '../apply-tenant-credit.ts';
import { listChargeableAssignments } from '../chargeable-assignments.ts';
import { receivePayment } from '../receive-payment.ts';
import { refundTenant } from '../refund-tenant.ts';
import { runBilling } from './index.ts';

const clock = movableClock(new Date());
const service = await testService({}, { clock });
const { sql } = service;
/** The first month that an organization opened now is charged for. */
const PERIOD = addMonths(periodOf(billingDay(new Date())), 1);
const OPERATOR: Actor = { ...SYSTEM_ACTOR, kind: 'operator', id: newId(), name: 'operator@tests.example' };

async function shopWithBranch(): Promise<TestOrganization> {
  const shop = await testOrganization(sql);
  await sql`
    insert into branches (organization_id, id, iv_id, created, updated)
    values (${shop.id}, ${newId()}, 'B-1', now() - interval '1 day', now())`;
  return shop;
}

/** A run on the n-th day after the first month began, for one organization or for all. */
async function run(day: number, organizationId?: string) {
  clock.moveTo(new Date(startOfBillingDay(addDays(PERIOD, day)).getTime() + 3_600_000));
  return runBilling(service.platform, { listChargeableAssignments, organizationId });
}
const pay = ({ id }: TestOrganization, amountSar: string) =>
  inTransaction(sql, (tx) =>
    receivePayment(tx, OPERATOR, { organizationId: id, amountSar, method: 'cash', reference: 'R-1' }, clock.now()),
  );
const statusOf = async ({ owner }: TestOrganization) => (await call(service.baseUrl, 'GET /branches', owner)).status;
const standing = async ({ id }: TestOrganization) => {
  const [row] = await sql<{ suspended_by: string; suspension_reason: string }[]>`
    select suspended_by, suspension_reason from organizations where id = ${id}`;
  return [row?.suspended_by, row?.suspension_reason];
};
const auditOf = async ({ id }: TestOrganization) => {
  const rows = await sql<{ entry: string }[]>`
    select actor_kind || ' ' || action as entry from audit_entries where organization_id = ${id} order by at, id`;
  return rows.map(({ entry }) => entry);
};

describe('an unpaid fee', () => {
  it('is overdue after its due date, suspends the organization after 30 more days, and a payment ends that at once', async () => {
    const shop = await shopWithBranch();
    expect(await run(0, shop.id)).toMatchObject({ charged: 1, settled: 0, suspended: 0 });
    const credentials = async () => (await call(service.baseUrl, 'GET /auth/credentials', shop.owner)).body;
    expect((await credentials()).subscription).toMatchObject({
      status: 'active',
      outstanding_sar: 287.5,
      overdue_sar: 0,
    });
    await run(15, shop.id);
    expect((await credentials()).subscription).toMatchObject({ status: 'past_due', overdue_sar: 287.5 });
    expect(await run(44, shop.id)).toMatchObject({ suspended: 0 });
    expect(await statusOf(shop)).toBe(200);
    expect(await run(45, shop.id)).toMatchObject({ suspended: 1 });
    await expect.poll(() => statusOf(shop)).toBe(402);
    expect(await standing(shop)).toEqual(['billing', 'A fee is more than 30 days overdue']);
    expect(await credentials()).toMatchObject({ subscription: { status: 'suspended' }, service_operational: false });

    // Part of it is not enough; the rest is, though the month after it is still open.
    expect(await pay(shop, '287.49')).toMatchObject({ isResumed: false });
    expect(await statusOf(shop)).toBe(402);
    expect(await pay(shop, '0.01')).toMatchObject({ isResumed: true, settlement: { walletBalanceAfterSar: '0.00' } });
    await expect.poll(() => statusOf(shop)).toBe(200);
    expect(await standing(shop)).toEqual(['', '']);
    expect(await auditOf(shop)).toEqual([
      'system charge',
      'system charge',
      'system suspend',
      'operator record-payment',
      'operator record-payment',
      'operator resume',
    ]);
  });

  it('can be paid by a credit too', async () => {
    const shop = await shopWithBranch();
    await run(45, shop.id);
    await expect.poll(() => statusOf(shop)).toBe(402);
    const credit = { organizationId: shop.id, amountSar: '300.00', note: 'sorry' };
    const { settlement, isResumed } = await inTransaction(sql, (tx) =>
      applyTenantCredit(tx, OPERATOR, credit, clock.now()),
    );
    expect(isResumed).toBe(true);
    expect(settlement.applications.map(({ appliedSar }) => appliedSar)).toEqual(['287.50', '12.50']);
    await expect.poll(() => statusOf(shop)).toBe(200);
    expect((await auditOf(shop)).slice(-2)).toEqual(['operator credit', 'operator resume']);
  });

  it('suspends again after a resumption by hand while it is unpaid', async () => {
    const shop = await shopWithBranch();
    await run(45, shop.id);
    await setSuspended(sql, shop.id, null);
    await expect.poll(() => statusOf(shop)).toBe(200);
    expect(await run(46, shop.id)).toMatchObject({ charged: 0, suspended: 1 });
    await expect.poll(() => statusOf(shop)).toBe(402);
    // Paid from a wallet that was put right: the run itself opens it again.
    await sql`
      insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, created)
      values (${shop.id}, ${newId()}, 'adjustment', 'credit', 600, ${clock.now()})`;
    expect(await run(46)).toMatchObject({ settled: 2, resumed: 1, failed: 0 });
    await expect.poll(() => statusOf(shop)).toBe(200);
  });
});

describe("an operator's suspension", () => {
  it('is not ended by a payment, nor changed by the run', async () => {
    const shop = await shopWithBranch();
    await setSuspended(sql, shop.id, clock.now(), { by: 'operator', reason: 'Asked for it' });
    expect(await run(45, shop.id)).toMatchObject({ charged: 2, suspended: 0 });
    expect(await pay(shop, '5000.00')).toMatchObject({ isResumed: false });
    expect(await run(46, shop.id)).toMatchObject({ resumed: 0 });
    expect(await standing(shop)).toEqual(['operator', 'Asked for it']);
    await expect.poll(() => statusOf(shop)).toBe(402);
  });
});

describe('a run', () => {
  it('continues after an organization that cannot be billed, which the next run bills', async () => {
    const [broken, well] = [await shopWithBranch(), await shopWithBranch()];
    const said: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => said.push(line) });
    clock.moveTo(startOfBillingDay(addDays(PERIOD, 40)));
    const failing = await runBilling(
      { ...service.platform, log },
      {
        listChargeableAssignments: async (_tx, id) => {
          if (id === broken.id) throw new Error('no services to be had');
          return [];
        },
      },
    );
    expect(failing).toMatchObject({ failed: 1 });
    expect(failing.charged).toBeGreaterThanOrEqual(2);
    expect(said.join()).toContain(broken.id);
    const fees = async ({ id }: TestOrganization) =>
      (await sql`select 1 from branch_fees where organization_id = ${id}`).length;
    expect([await fees(broken), await fees(well)]).toEqual([0, 2]);
    expect(await run(40)).toMatchObject({ organizations: 1, charged: 2, failed: 0 });
    expect(await run(40)).toEqual({ organizations: 0, charged: 0, settled: 0, suspended: 0, resumed: 0, failed: 0 });
  });

  it('charges nothing for months in which an organization was closed', async () => {
    const shop = await shopWithBranch();
    await sql`update organizations set is_active = false where id = ${shop.id}`;
    expect(await run(0, shop.id)).toMatchObject({ charged: 0 });
    await sql`update organizations set is_active = true where id = ${shop.id}`;
    expect(await run(10, shop.id)).toMatchObject({ charged: 0 });
    expect(await run(40, shop.id)).toMatchObject({ charged: 1 });
  });

  it('stops when its signal is aborted', async () => {
    await shopWithBranch();
    clock.moveTo(startOfBillingDay(addDays(PERIOD, 40)));
    const signal = AbortSignal.abort(new Error('stopping'));
    await expect(runBilling(service.platform, { listChargeableAssignments, signal })).rejects.toThrow('stopping');
  });
});

describe('what partners earn', () => {
  it('is recorded in the transaction of the payment, at the rate of that day', async () => {
    const shop = await shopWithBranch();
    await inTransaction(sql, async (tx) => {
      const partner = await createPartner(
        tx,
        { name: 'Rawabi', erp: 'Odoo', ratePercent: '12.5' },
        OPERATOR,
        clock.now(),
      );
      await attachTenant(tx, partner.id, shop.id, OPERATOR, clock.now());
    });
    const { payment } = await pay(shop, '10.00');
    const accruals = await sql<{ payment_id: string; commission_sar: number }[]>`
      select payment_id, commission_sar from commission_accruals where organization_id = ${shop.id}`;
    expect(accruals).toEqual([{ payment_id: payment.id, commission_sar: 1.25 }]);
  });
});

describe('a refund', () => {
  it('is recorded in the audit log, and returns 409 when the wallet holds less', async () => {
    const shop = await shopWithBranch();
    await pay(shop, '10.00');
    const back = (amountSar: string) =>
      inTransaction(sql, (tx) =>
        refundTenant(tx, OPERATOR, { organizationId: shop.id, amountSar, note: 'twice' }, clock.now()),
      );
    await expect(back('10.01')).rejects.toMatchObject({ status: 409 });
    expect(await back('10.00')).toMatchObject({ entry_type: 'refund', total_sar: '10.00', note: 'twice' });
    expect(await auditOf(shop)).toEqual(['operator record-payment', 'operator refund']);
  });
});
