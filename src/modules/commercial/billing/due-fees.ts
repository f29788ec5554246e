import { addDays } from '../../../platform/local-day.ts';
import { addMonths, billingDay } from './billing-day.ts';
import { type Halalas, type Money, timesQuantity, toHalalas, vatOn } from './money.ts';
import { DUE_AFTER_DAYS } from './settlement.ts';

export type ChargeableBranch = { ivId: string; created: Date };

/** An active service assignment of an install. */
export type ChargeableAssignment = {
  organizationAppId: string;
  serviceId: string;
  serviceCode: string;
  priceSar: Money;
  /** Of the service, such as 15. */
  vatPercent: string;
  quantity: number;
  billingCycle: 'once' | 'monthly' | 'yearly';
  startsAt: Date;
  created: Date;
};

export type Plan = { branchFeeSar: Money; vatPercent: string };

export type DueFee = {
  kind: 'branch' | 'service';
  branchIvId: string;
  organizationAppId: string | null;
  serviceId: string | null;
  serviceCode: string;
  period: string;
  dueDate: string;
  amount: Halalas;
  vat: Halalas;
};

/** The latest period for which each assignment was charged, under `keyOfAssignment`. */
export type LastCharged = ReadonlyMap<string, string>;

export function keyOfAssignment(assignment: { organizationAppId: string; serviceId: string }): string {
  return `${assignment.organizationAppId} ${assignment.serviceId}`;
}

/** What one month costs an organization: its branches, then its services, each in the order of their names. */
export function feesOfPeriod(
  period: string,
  plan: Plan,
  branches: readonly ChargeableBranch[],
  assignments: readonly ChargeableAssignment[],
  lastCharged: LastCharged,
): DueFee[] {
  const dueDate = addDays(period, DUE_AFTER_DAYS);
  const branchFee = toHalalas(plan.branchFeeSar);
  const ofBranches = branches
    .filter(({ created }) => billingDay(created) < period)
    .sort((one, other) => inOrder(one.ivId, other.ivId))
    .map(({ ivId }) => ({
      kind: 'branch' as const,
      branchIvId: ivId,
      organizationAppId: null,
      serviceId: null,
      serviceCode: '',
      period,
      dueDate,
      amount: branchFee,
      vat: vatOn(branchFee, plan.vatPercent),
    }));
  const ofServices = assignments
    .filter((assignment) => isDue(assignment, period, lastCharged.get(keyOfAssignment(assignment))))
    .sort(
      (one, other) =>
        inOrder(one.serviceCode, other.serviceCode) || inOrder(keyOfAssignment(one), keyOfAssignment(other)),
    )
    .map((assignment) => {
      const amount = timesQuantity(assignment.priceSar, assignment.quantity);
      return {
        kind: 'service' as const,
        branchIvId: '',
        organizationAppId: assignment.organizationAppId,
        serviceId: assignment.serviceId,
        serviceCode: assignment.serviceCode,
        period,
        dueDate,
        amount,
        vat: vatOn(amount, assignment.vatPercent),
      };
    });
  return [...ofBranches, ...ofServices].filter(({ amount }) => amount > 0n);
}

/**
 * Once: the first period that begins on or after the start and after the day of the assignment. Yearly: that one, and twelve months after the last. By what was
 * charged and not by counting from the start alone: one whose start lies in a month that is charged already, or that was
 * paused on its anniversary, is charged with the next month instead of never.
 */
function isDue(assignment: ChargeableAssignment, period: string, charged: string | undefined): boolean {
  const { billingCycle, startsAt, created } = assignment;
  const start = billingDay(startsAt);
  // As with branches: one that is created during a month, its first day included, is not charged for it. Otherwise the
  // bill would depend on whether the run of that day or month came before or after the assignment.
  if (period < start || period <= billingDay(created)) return false;
  if (billingCycle === 'monthly') return true;
  if (charged === undefined || charged < start) return true;
  return billingCycle === 'yearly' && period >= addMonths(charged, 12);
}

function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
