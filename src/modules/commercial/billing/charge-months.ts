import type { Tx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { lockExistingAccount } from './account.ts';
import { addMonths, billingDay, periodOf, periodsBetween } from './billing-day.ts';
import {
  type ChargeableAssignment,
  type ChargeableBranch,
  type DueFee,
  feesOfPeriod,
  keyOfAssignment,
  type Plan,
} from './due-fees.ts';
import { fromHalalas, toHalalas } from './money.ts';
import { feeDebit, listOpenFees } from './post-entries.ts';
import { appliedIn, longOverdueBefore, type OpenFee, type Part, settleWhole } from './settlement.ts';
import { setChargedThrough } from './sql/accounts.ts';
import {
  hasFeeDueBefore,
  insertFeeRows,
  markOverdueRows,
  type NewFeeRow,
  payFeeRows,
  readLastCharged,
} from './sql/fees.ts';
import { insertLedgerRows } from './sql/ledger.ts';
import { findPlanRow } from './sql/plans.ts';

export const BILLING_RUN = 'billing run';
/** An organization with more months to charge is charged in several transactions. */
const MAX_MONTHS_AT_ONCE = 12;

export type MonthsToCharge = {
  organization: { id: string; plan: string };
  branches: readonly ChargeableBranch[];
  assignments: readonly ChargeableAssignment[];
  now: Date;
};

/** `isCurrent`: nothing is left to charge. */
export type Charged = { charged: number; settled: number; isCurrent: boolean };

/**
 * Every month since the last one that was charged, in their order, each followed by what the wallet pays: so months that
 * are charged late, together, give the same result as if each had been charged on time. Each month is charged once.
 */
export async function chargeMonths(
  tx: Tx,
  { organization, branches, assignments, now }: MonthsToCharge,
): Promise<Charged> {
  const account = await lockExistingAccount(tx, organization.id);
  const today = billingDay(now);
  const missing = periodsBetween(account.chargedThrough, periodOf(today));
  const periods = missing.slice(0, MAX_MONTHS_AT_ONCE);

  const before = await listOpenFees(tx, organization.id);
  const wallet = createWallet(toHalalas(account.balanceSar), before);
  wallet.settle();
  const made: NewFee[] = [];
  if (periods.length > 0 && branches.length + assignments.length > 0) {
    const plan = await getPlan(tx, organization.plan);
    const lastCharged = assignments.length === 0 ? new Map<string, string>() : await readCharged(tx, organization.id);
    for (const period of periods) {
      const fees = feesOfPeriod(period, plan, branches, assignments, lastCharged).map(newFee);
      for (const { due } of fees) noteCharged(lastCharged, due);
      made.push(...fees);
      wallet.owe(fees.map(({ open }) => open));
      wallet.settle();
    }
  }

  const posting = { organizationId: organization.id, createdBy: BILLING_RUN, now };
  const settledIds = new Set(wallet.parts.map(({ fee }) => fee.id));
  const rows = made.map((fee) => feeRow(fee, settledIds.has(fee.open.id), today));
  const knownBefore = new Set(before.map(({ id }) => id));
  await insertFeeRows(tx, organization.id, rows, now);
  await insertLedgerRows(
    tx,
    wallet.parts.map((part) => feeDebit(posting, part)),
  );
  await payFeeRows(
    tx,
    organization.id,
    wallet.parts
      .filter(({ fee }) => knownBefore.has(fee.id))
      .map(({ fee }) => ({ id: fee.id, paidSar: fromHalalas(fee.total), isPaid: true })),
    now,
  );
  const last = periods.at(-1);
  if (last !== undefined) await setChargedThrough(tx, organization.id, last);
  if (before.some(({ id, dueDate }) => dueDate < today && !settledIds.has(id))) {
    await markOverdueRows(tx, organization.id, today);
  }
  return { charged: made.length, settled: wallet.parts.length, isCurrent: periods.length === missing.length };
}

/** For an organization that existed before billing: this month is the first to be charged. */
export async function chargeFrom(tx: Tx, organizationId: string, period: string): Promise<void> {
  await lockExistingAccount(tx, organizationId);
  await setChargedThrough(tx, organizationId, addMonths(period, -1));
}

/** Some fee was due more than thirty days before today. */
export function isLongOverdue(
  sql: Parameters<typeof hasFeeDueBefore>[0],
  organizationId: string,
  today: string,
): Promise<boolean> {
  return hasFeeDueBefore(sql, organizationId, longOverdueBefore(today));
}

async function getPlan(tx: Tx, name: string): Promise<Plan> {
  const row = await findPlanRow(tx, name);
  if (row === undefined) throw new Error(`there is no price for the plan ${name}, nor for the standard one`);
  return { branchFeeSar: row.branch_fee_sar, vatPercent: row.vat_percent };
}

async function readCharged(tx: Tx, organizationId: string): Promise<Map<string, string>> {
  const rows = await readLastCharged(tx, organizationId);
  return new Map(
    rows.map((row) => [
      keyOfAssignment({ organizationAppId: row.organization_app_id, serviceId: row.service_id }),
      row.period,
    ]),
  );
}

function noteCharged(lastCharged: Map<string, string>, { organizationAppId, serviceId, period }: DueFee): void {
  if (organizationAppId === null || serviceId === null) return;
  lastCharged.set(keyOfAssignment({ organizationAppId, serviceId }), period);
}

/** The open fees, the oldest first, and what the wallet has paid of them so far. */
function createWallet(balance: bigint, openBefore: readonly OpenFee[]) {
  let open = [...openBefore];
  const parts: Part[] = [];
  return {
    parts,
    owe(fees: readonly OpenFee[]) {
      open = [...open, ...fees].sort((one, other) => inOrder(one, other));
    },
    settle() {
      const paid = settleWhole(balance - appliedIn(parts), open);
      parts.push(...paid);
      open = open.slice(paid.length);
    },
  };
}

function inOrder(one: OpenFee, other: OpenFee): number {
  if (one.dueDate !== other.dueDate) return one.dueDate < other.dueDate ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

type NewFee = { due: DueFee; open: OpenFee };

function newFee(due: DueFee): NewFee {
  const { kind, branchIvId, serviceCode, period, dueDate, amount, vat } = due;
  const open = { id: newId(), kind, branchIvId, serviceCode, period, dueDate, vat, total: amount + vat, paid: 0n };
  return { due, open };
}

function feeRow({ due, open }: NewFee, isPaid: boolean, today: string): NewFeeRow {
  return {
    id: open.id,
    kind: due.kind,
    branchIvId: due.branchIvId,
    organizationAppId: due.organizationAppId,
    serviceId: due.serviceId,
    serviceCode: due.serviceCode,
    period: due.period,
    dueDate: due.dueDate,
    amountSar: fromHalalas(due.amount),
    vatSar: fromHalalas(due.vat),
    paidSar: fromHalalas(isPaid ? open.total : 0n),
    status: isPaid ? 'paid' : due.dueDate < today ? 'overdue' : 'pending',
  };
}
