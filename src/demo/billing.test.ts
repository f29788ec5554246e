import { expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/index.ts';
import { BEFORE_THE_RECORD } from '../modules/audit/index.ts';
import { saveBranches } from '../modules/branches/index.ts';
import { billingDay, readFleetSums } from '../modules/commercial/billing/index.ts';
import { findBrokenAccounts, recountFleet } from '../modules/commercial/billing/testing/recount.ts';
import { inTransaction } from '../platform/database/index.ts';
import { seedBilling } from './billing.ts';
import { createPeople } from './people.ts';
import { GROCERY_BRANCHES, PHARMACY_BRANCHES } from './words/branches.ts';

const { sql } = await testDatabase();
const people = await inTransaction(sql, async (tx) => {
  const made = await createPeople(tx, new Date());
  const opened = new Date('2024-01-01T00:00:00Z');
  for (const [index, branches] of [PHARMACY_BRANCHES, GROCERY_BRANCHES].entries()) {
    await saveBranches(tx, made.logins.organizations[index]?.id ?? '', 'create', branches, BEFORE_THE_RECORD, opened);
  }
  return made;
});

it.each(['2026-11-01', '2026-11-15', '2026-11-16', '2026-12-31', '2027-03-01T20:59:59Z'])(
  'the money of the demo, loaded on %s, has paid, late, owing and suspended tenants, and adds up',
  async (day) => {
    const now = new Date(day);
    const today = billingDay(now);
    const undo = new Error('undone');
    const attempt = inTransaction(sql, async (tx) => {
      await seedBilling(tx, people, now);
      const sums = await readFleetSums(tx, today);
      expect(sums).toEqual(await recountFleet(tx, today));
      expect(await findBrokenAccounts(tx)).toEqual([]);
      expect(sums.reconciliation.varianceSar).toBe('0.00');
      for (const figure of [
        sums.cashCollected30dSar,
        sums.overdueSar,
        sums.creditsIssuedSar,
        sums.refundLikeDebitsSar,
      ]) {
        expect(Number(figure)).toBeGreaterThan(0);
      }
      const tenants = await tx<
        { name_en: string; suspended_by: string; balance: number; partly: number; open: number }[]
      >`
        select o.name_en, o.suspended_by, a.balance_sar as balance, f.partly, f.open
        from organizations o join billing_accounts a on a.organization_id = o.id
        cross join lateral (
          select count(*) filter (where paid_sar > 0 and paid_sar < total_sar) as partly,
                 count(*) filter (where status in ('pending', 'overdue')) as open
          from branch_fees f where f.organization_id = o.id) f
        order by o.name_en`;
      expect(tenants).toMatchObject([
        { name_en: 'Asir Sweets', suspended_by: 'billing', balance: 0 },
        { name_en: 'Najd Pharmacies', suspended_by: '', open: 0 },
        { name_en: 'Qassim Dates', suspended_by: '', partly: 1 },
        { name_en: 'Tihama Grocers', suspended_by: '', open: 0 },
      ]);
      // Enough that a demo that is left running does not run into debt within the year.
      for (const tenant of [tenants[1], tenants[3]]) expect(tenant?.balance).toBeGreaterThan(15_000);
      throw undo;
    });
    await expect(attempt).rejects.toBe(undo);
  },
);
