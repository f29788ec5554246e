import type { Clock } from '../../../platform/clock.ts';
import { batchReads, type Sql } from '../../../platform/database/index.ts';
import { billingDay } from './billing-day.ts';
import { readSummaryRows, type SummaryRow } from './sql/summary.ts';

export type BillingSummary = {
  plan: string;
  periodEnd: Date | null;
  outstandingSar: number;
  overdueSar: number;
  balanceSar: number;
};

export type Subscription = {
  plan: string;
  status: 'active' | 'past_due' | 'suspended';
  period_end: string | null;
};

/** The subscription as every route shows it. `organizations.period_end` alone is only the date an operator entered. */
export function subscriptionOf(billing: BillingSummary, isSuspended: boolean): Subscription {
  return {
    plan: billing.plan,
    status: isSuspended ? 'suspended' : billing.overdueSar > 0 ? 'past_due' : 'active',
    period_end: billing.periodEnd?.toISOString() ?? null,
  };
}

export type ReadBilling = (organizationId: string) => Promise<BillingSummary>;

/** What an organization owes and holds. Concurrent reads are batched into one statement. */
export function createReadBilling({ sql, clock }: { sql: Sql; clock: Clock }): ReadBilling {
  const find = batchReads<string, SummaryRow>({
    load: (organizationIds) => readSummaryRows(sql, organizationIds, billingDay(clock.now())),
    keyOf: (row) => row.organization_id,
    textOf: (organizationId) => organizationId,
    maxBatch: 100,
    parallel: 2,
  });
  return async (organizationId) => {
    const row = await find(organizationId);
    if (row === undefined) throw new Error(`organization ${organizationId} has no billing account`);
    return {
      plan: row.plan,
      periodEnd: row.period_end,
      outstandingSar: row.outstanding,
      overdueSar: row.overdue,
      balanceSar: row.balance,
    };
  };
}
