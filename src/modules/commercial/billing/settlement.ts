import { addDays } from '../../../platform/local-day.ts';
import { fromHalalas, type Halalas, type Money, sumHalalas, vatWithin } from './money.ts';

/** A fee that is not paid in full, as the rules calculate with it. */
export type OpenFee = {
  id: string;
  kind: 'branch' | 'service';
  branchIvId: string;
  serviceCode: string;
  period: string;
  dueDate: string;
  vat: Halalas;
  total: Halalas;
  paid: Halalas;
};

/** The part of an amount that pays one fee. */
export type Part = { fee: OpenFee; applied: Halalas; vat: Halalas };

/** How an amount was used: the fees it paid, and the rest for the wallet. */
export type Settlement = {
  /** Outstanding of all open fees before. */
  outstandingSar: Money;
  applications: {
    branchFeeId: string;
    branchIvId: string;
    dueDate: string;
    /** Outstanding of this fee before. */
    outstandingSar: Money;
    appliedSar: Money;
  }[];
  toWalletSar: Money;
  walletBalanceAfterSar: Money;
};

/** Due this many days after the month has begun. */
export const DUE_AFTER_DAYS = 14;
/** An organization is suspended this many days after a fee was due. */
export const SUSPENDED_AFTER_DAYS = 30;

/** An organization with an open fee that was due before this day is suspended. */
export function longOverdueBefore(today: string): string {
  return addDays(today, -SUSPENDED_AFTER_DAYS);
}

export function restOf(fee: OpenFee): Halalas {
  return fee.total - fee.paid;
}

/** New money pays the oldest fees first, the last one in part when the money runs out. */
export function settleWith(money: Halalas, oldestFirst: readonly OpenFee[]): Part[] {
  const parts: Part[] = [];
  let left = money;
  for (const fee of oldestFirst) {
    if (left === 0n) break;
    const applied = restOf(fee) < left ? restOf(fee) : left;
    parts.push(partOf(fee, applied));
    left -= applied;
  }
  return parts;
}

/**
 * A wallet pays fees it holds enough for, the oldest first, and stops at the first that it does not: a younger fee never
 * overtakes older debt.
 */
export function settleWhole(balance: Halalas, oldestFirst: readonly OpenFee[]): Part[] {
  const parts: Part[] = [];
  let left = balance;
  for (const fee of oldestFirst) {
    if (restOf(fee) > left) break;
    parts.push(partOf(fee, restOf(fee)));
    left -= restOf(fee);
  }
  return parts;
}

function partOf(fee: OpenFee, applied: Halalas): Part {
  return { fee, applied, vat: vatWithin(fee, fee.paid + applied) - vatWithin(fee, fee.paid) };
}

/** The fee after its part was paid. */
export function afterPart({ fee, applied }: Part): OpenFee {
  return { ...fee, paid: fee.paid + applied };
}

export function appliedIn(parts: readonly Part[]): Halalas {
  return sumHalalas(parts.map(({ applied }) => applied));
}

export function describeSettlement(outcome: {
  openFees: readonly OpenFee[];
  parts: readonly Part[];
  toWallet: Halalas;
  balanceAfter: Halalas;
}): Settlement {
  return {
    outstandingSar: fromHalalas(sumHalalas(outcome.openFees.map(restOf))),
    applications: outcome.parts.map(({ fee, applied }) => ({
      branchFeeId: fee.id,
      branchIvId: fee.branchIvId,
      dueDate: fee.dueDate,
      outstandingSar: fromHalalas(restOf(fee)),
      appliedSar: fromHalalas(applied),
    })),
    toWalletSar: fromHalalas(outcome.toWallet),
    walletBalanceAfterSar: fromHalalas(outcome.balanceAfter),
  };
}
