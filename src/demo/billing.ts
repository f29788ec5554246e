import { type Actor, BEFORE_THE_RECORD } from '../modules/audit/index.ts';
import { listChargeableBranches, saveBranches } from '../modules/branches/index.ts';
import { addMonths, billingDay, chargeFrom, periodOf } from '../modules/commercial/billing/index.ts';
import {
  applyTenantCredit,
  billOrganization,
  listChargeableAssignments,
  openCheckout,
  receivePayment,
  refundTenant,
} from '../modules/commercial/fleet/index.ts';
import { createOrganization } from '../modules/identity/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { addDays } from '../platform/local-day.ts';
import { dayOf, monthsAgo } from './billing-days.ts';
import { DEMO_SELLER } from './demo-seller.ts';
import type { DemoPeople } from './people.ts';
import { DATES_BRANCHES, type DemoBranch, SWEETS_BRANCHES } from './words/branches.ts';

const HOUR_MS = 3_600_000;
/** What a branch costs a month under the plans of the tenants below, VAT included. */
const STANDARD_SAR = 287.5;
const STARTER_SAR = 172.5;
/** Of the two shops, which joined in the month before the first fee. */
const FEE_MONTHS = 13;
/** A fee is due on the 15th; past this day of a debt, the suspension would be near. */
const SAFE_DAYS_LATE = 30;

/** Something that happened to a tenant's money, in the past. */
type Deed = { at: Date; run(now: Date): Promise<unknown> };

/**
 * Billing history of the tenants, created by the billing rules with a moved clock: every month charged in its time, payments and their
 * settlement. One tenant paid in advance, one pays monthly, one has a partly paid overdue fee, one stopped paying and was suspended.
 */
export async function seedBilling(tx: Tx, { logins, operator }: DemoPeople, now: Date): Promise<void> {
  const [ahead, monthly] = logins.organizations;
  if (ahead === undefined || monthly === undefined) throw new Error('the demo has two shops');
  await replayPaidAhead(createBooks(tx, operator, ahead.id, now));
  await replayPaidMonthly(createBooks(tx, operator, monthly.id, now), await countBranches(tx, monthly.id));

  await seedCheckouts(tx, operator, ahead.id, now);

  const overdue = await openShop(tx, DATES_BRANCHES, monthsAgo(now, 5));
  await replayOverdue(createBooks(tx, operator, overdue, now), now);

  await saveDemoBranches(tx, logins.suspended.id, SWEETS_BRANCHES, monthsAgo(now, 6));
  await replayStoppedPaying(createBooks(tx, operator, logins.suspended.id, now));
}

/** Payments that were begun online today and not finished yet; the examples of the reference name them. */
async function seedCheckouts(tx: Tx, operator: Actor, organizationId: string, now: Date): Promise<void> {
  const owner: Actor = { ...operator, kind: 'system', name: 'demo' };
  for (const hoursAgo of [3, 1]) {
    const at = new Date(now.getTime() - hoursAgo * HOUR_MS);
    await openCheckout(tx, organizationId, '575.00', owner, at);
  }
}

async function replayPaidAhead(books: Books): Promise<void> {
  books.pay(13, 3, 25_000);
  books.credit(13, 4, 500, 'Paid a year ahead');
  books.pay(4, 8, 4_000);
  books.pay(4, 9, 4_000);
  books.refund(4, 14, 4_000, 'Transferred twice');
  books.pay(1, 5, 20_000);
  await books.replay(FEE_MONTHS);
}

async function replayPaidMonthly(books: Books, branches: number): Promise<void> {
  // Late once: for three days of it the fees were overdue.
  for (let back = FEE_MONTHS; back >= 1; back -= 1) books.pay(back, back === 4 ? 18 : 10, branches * STANDARD_SAR);
  books.credit(3, 20, 200, 'A day without orders from a marketplace');
  books.pay(1, 24, 20_000);
  await books.replay(FEE_MONTHS);
}

async function replayOverdue(books: Books, now: Date): Promise<void> {
  const lastDue = addDays(periodOf(billingDay(monthsAgo(now, 1))), 14);
  const unpaid = billingDay(now) <= addDays(lastDue, SAFE_DAYS_LATE) ? 1 : 0;
  for (let back = 4; back > unpaid; back -= 1) books.pay(back, 12, 2 * STARTER_SAR);
  books.pay(unpaid, 2, STARTER_SAR + 60);
  await books.replay(4);
}

async function replayStoppedPaying(books: Books): Promise<void> {
  books.pay(5, 6, 2 * STANDARD_SAR);
  // The third month was due on the 15th; the run of thirty-one days later suspends.
  books.bill(2, 17);
  await books.replay(5);
}

type Books = ReturnType<typeof createBooks>;

/** Deeds are noted in any order and happen in theirs, with the monthly runs between them. */
function createBooks(tx: Tx, operator: Actor, organizationId: string, now: Date) {
  const deeds: Deed[] = [];
  const note = (monthsBack: number, day: number, run: Deed['run']) => {
    deeds.push({ at: new Date(dayOf(now, monthsBack, day).getTime() + 11 * HOUR_MS), run });
  };
  const bill = (at: Date) => billOrganization(tx, organizationId, listChargeableAssignments, at, DEMO_SELLER);
  return {
    pay(monthsBack: number, day: number, sar: number) {
      const reference = `TRF-${billingDay(dayOf(now, monthsBack, day)).replaceAll('-', '')}`;
      const payment = { organizationId, amountSar: sar.toFixed(2), method: 'bank_transfer' as const, reference };
      note(monthsBack, day, (at) => receivePayment(tx, operator, payment, at));
    },
    credit(monthsBack: number, day: number, sar: number, reason: string) {
      const credit = { organizationId, amountSar: sar.toFixed(2), note: reason };
      note(monthsBack, day, (at) => applyTenantCredit(tx, operator, credit, at));
    },
    refund(monthsBack: number, day: number, sar: number, reason: string) {
      const given = { organizationId, amountSar: sar.toFixed(2), note: reason };
      note(monthsBack, day, (at) => refundTenant(tx, operator, given, at));
    },
    bill(monthsBack: number, day: number) {
      note(monthsBack, day, bill);
    },
    /** With a run at the beginning of each of so many months, and one now. */
    async replay(months: number) {
      await chargeFrom(tx, organizationId, addMonths(periodOf(billingDay(now)), -months));
      const runs = Array.from({ length: months + 1 }, (_, back) => ({ at: dayOf(now, back, 1), run: bill }));
      const past = [...runs, ...deeds].filter(({ at }) => at < now);
      past.sort((one, other) => one.at.getTime() - other.at.getTime());
      for (const { at, run } of past) await run(at);
      await bill(now);
    },
  };
}

async function openShop(tx: Tx, branches: readonly DemoBranch[], opened: Date): Promise<string> {
  const names = { nameEn: 'Qassim Dates', nameAr: 'تمور القصيم' };
  const id = await createOrganization(tx, { ...names, plan: 'starter', now: opened });
  await saveDemoBranches(tx, id, branches, opened);
  return id;
}

async function saveDemoBranches(
  tx: Tx,
  organizationId: string,
  branches: readonly DemoBranch[],
  opened: Date,
): Promise<void> {
  const { errors } = await saveBranches(tx, organizationId, 'create', branches, BEFORE_THE_RECORD, opened);
  if (Object.keys(errors).length > 0) throw new Error(`demo branches were refused: ${JSON.stringify(errors)}`);
}

async function countBranches(tx: Tx, organizationId: string): Promise<number> {
  return (await listChargeableBranches(tx, organizationId)).length;
}
