import type { Tx } from '../../../platform/database/index.ts';
import { type FleetSums, listNewestFees, moneyToNumber as number, readFleetSums } from '../billing/index.ts';
import { recentFeeShape } from './money-shapes.ts';

const RECENT_FEES = 20;

/**
 * As JSON. Two short reads, independent of the number of organizations and entries: the figures are stored as sums. Every write to them,
 * to fees and to names of organizations is a fleet change: fees reach the sums by a trigger.
 */
export async function readAccountingOverview(tx: Tx, today: string): Promise<string> {
  const sums = await readFleetSums(tx, today);
  const recent = await listNewestFees(tx, RECENT_FEES, today);
  return JSON.stringify({ ...figuresOf(sums), recent_branch_fees: recent.map(recentFeeShape) });
}

function figuresOf(sums: FleetSums) {
  const { receivables, reconciliation } = sums;
  return {
    totals: {
      cash_collected_sar: number(sums.cashCollectedSar),
      cash_collected_30d_sar: number(sums.cashCollected30dSar),
      wallet_balance_sar: number(sums.walletBalanceSar),
      outstanding_branch_fees_sar: number(sums.outstandingSar),
      overdue_branch_fees_sar: number(sums.overdueSar),
      credits_issued_sar: number(sums.creditsIssuedSar),
      refund_like_debits_sar: number(sums.refundLikeDebitsSar),
      recognized_vat_sar: number(sums.recognizedVatSar),
      net_revenue_sar: number(sums.netRevenueSar),
    },
    receivables: {
      current_sar: number(receivables.currentSar),
      days_1_to_30_sar: number(receivables.days1To30Sar),
      days_31_to_60_sar: number(receivables.days31To60Sar),
      days_61_plus_sar: number(receivables.days61PlusSar),
      pending_rows: receivables.pendingRows,
      overdue_rows: receivables.overdueRows,
    },
    status_breakdown: sums.statusBreakdown.map(({ status, count, amountSar }) => ({
      status,
      count,
      amount: number(amountSar),
    })),
    ledger_breakdown: sums.ledgerBreakdown.map(({ entryType, direction, count, amountSar }) => ({
      entry_type: entryType,
      direction,
      count,
      amount: number(amountSar),
    })),
    reconciliation: {
      successful_payments_sar: number(reconciliation.successfulPaymentsSar),
      ledger_credits_sar: number(reconciliation.ledgerCreditsSar),
      variance_sar: number(reconciliation.varianceSar),
    },
  };
}
