import type { Queryable } from '../../../platform/database/index.ts';
import { billingDay, periodOf } from './billing-day.ts';
import { longOverdueBefore } from './settlement.ts';
import { listAccountsDue } from './sql/accounts.ts';

export { type Account, lockAccount } from './account.ts';
export { adjust, type NewAdjustment, type NewRefund, refund } from './adjust-balance.ts';
export { applyCredit, type NewCredit, previewCredit } from './apply-credit.ts';
export { addMonths, billingDay, periodOf, startOfBillingDay } from './billing-day.ts';
export { type Charged, chargeFrom, chargeMonths, isLongOverdue, type MonthsToCharge } from './charge-months.ts';
export type { ChargeableAssignment, ChargeableBranch } from './due-fees.ts';
export { type FleetSums, foldBillingSums, readFleetSums } from './fleet-sums.ts';
export { type Listed, listAdjustments, listFees, listLedger, listPayments } from './list-money.ts';
export { findAmount, fromHalalas, type Halalas, type Money, moneyToNumber, sumHalalas, toHalalas } from './money.ts';
export {
  type BillingSummary,
  createReadBilling,
  type ReadBilling,
  type Subscription,
  subscriptionOf,
} from './read-billing.ts';
export { type Settlement, SUSPENDED_AFTER_DAYS } from './settlement.ts';
export { type AccountOutline, readAccountRows as readAccountsOfAll } from './sql/accounts.ts';
export { findChargedThrough } from './sql/charged-through.ts';
export { type DatedAmount, listPaymentsOf, listRefundsOf } from './sql/dated-amounts.ts';
export { listFeesOfOtherMonths, type MonthBalance, type MonthFee, readMonthBalances } from './sql/fee-months.ts';
export type { Direction, EntryType, LedgerRow } from './sql/ledger.ts';
export { type FeeRow, type FeeStatus, listNewestFeeRows as listNewestFees, type Named } from './sql/lists.ts';
export { PAYMENT_METHODS, type PaymentMethod, type PaymentRow, type PaymentStatus } from './sql/payments.ts';
export {
  lockPlanRow as lockPlan,
  type PlanRow,
  readPlanRows as readPlans,
  updatePlanRow as updatePlan,
} from './sql/plans.ts';
export { type NewPayment, takePayment } from './take-payment.ts';

/** The organizations that a run has work for now, by id, one page. */
export function listDueForBilling(
  sql: Queryable,
  { after, now, limit }: { after: string | undefined; now: Date; limit: number },
): Promise<string[]> {
  const today = billingDay(now);
  return listAccountsDue(
    sql,
    { after, period: periodOf(today), today, longOverdueBefore: longOverdueBefore(today) },
    limit,
  );
}
