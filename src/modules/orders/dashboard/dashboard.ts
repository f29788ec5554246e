import type { Clock } from '../../../platform/clock.ts';
import { inSnapshot, type Sql } from '../../../platform/database/index.ts';
import { startOfLocalDay } from '../../../platform/local-day.ts';
import type { Tenant } from '../../identity/index.ts';
import { MAX_QUICK_ROWS, slow } from '../list/expensive-reads.ts';
import { CANONICAL_STATUSES, canonicalPaymentStatus, canonicalStatus, isOpenStatus } from '../order-status.ts';
import { countByStatus } from '../sql/counts.ts';
import {
  countLate,
  measureDashboard,
  type RevenueRule,
  readStatusTotals,
  type StatusTotals,
  sumRevenue,
} from '../sql/dashboard.ts';
import type { DashboardShape } from './dashboard-schema.ts';

const DEFAULT_CURRENCY = 'SAR';

/**
 * The current numbers of orders. Read from the orders and their counts, not from projections: an order placed before the call is
 * included. All numbers come from one snapshot, so they agree with each other.
 */
export async function readDashboard(
  sql: Sql,
  clock: Clock,
  { organizationId, branchId, timeZone }: Tenant,
): Promise<DashboardShape> {
  const now = clock.now();
  const since = startOfLocalDay(now, timeZone);
  const rows = await measureDashboard(sql, { organizationId, branchId, since, now }, MAX_QUICK_ROWS + 1);
  return inSnapshot(rows > MAX_QUICK_ROWS ? slow(sql) : sql, async (tx) => {
    const statusTotals = await readStatusTotals(tx, organizationId);
    const [byStatus, revenue, late] = await Promise.all([
      countByStatus(tx, organizationId, branchId),
      sumRevenue(tx, { organizationId, branchId, since }, revenueRuleOf(statusTotals)),
      countLate(tx, { organizationId, branchId, now }),
    ]);
    const ofKind = (kind: string) => revenue.filter((row) => row.kind === kind);
    const [all] = ofKind('all');
    return {
      organization_id: organizationId,
      today: { orders: all?.orders ?? 0, revenue: all?.revenue ?? 0 },
      open: sum(byStatus.filter((row) => isOpenStatus(row.order_status))),
      late,
      by_status: byCanonicalStatus(byStatus),
      by_channel: ofKind('channel').map(({ app_slug, orders, revenue }) => ({
        app_slug: app_slug ?? '',
        orders,
        revenue,
      })),
      by_branch: ofKind('branch').map(({ branch_id, store_name, orders, revenue }) => ({
        branch_id,
        store_name,
        orders,
        revenue,
      })),
    };
  });
}

/**
 * Statuses are stored as their sources spell them, so the spellings in use are read before the sum. Amounts in several currencies
 * cannot be added: revenue is in the currency of most of the tenant's orders.
 */
function revenueRuleOf(statusTotals: StatusTotals): RevenueRule {
  const statuses = (column: 'order_status' | 'payment_status') => [...new Set(statusTotals.map((row) => row[column]))];
  const byCurrency = new Map<string, number>();
  for (const { currency, total } of statusTotals) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + total);
  const [main] = [...byCurrency].sort(
    ([one, oneTotal], [other, otherTotal]) => otherTotal - oneTotal || (one < other ? -1 : 1),
  );
  return {
    cancelledStatuses: statuses('order_status').filter((status) => canonicalStatus(status) === 'cancelled'),
    refundedStatuses: statuses('payment_status').filter((status) => canonicalPaymentStatus(status) === 'refunded'),
    currency: main?.[0] ?? DEFAULT_CURRENCY,
  };
}

/** Includes statuses without orders, so that clients need not handle missing keys. */
function byCanonicalStatus(byStatus: { order_status: string; total: number }[]): DashboardShape['by_status'] {
  const totals = CANONICAL_STATUSES.map((status) => [
    status,
    sum(byStatus.filter((row) => canonicalStatus(row.order_status) === status)),
  ]);
  return Object.fromEntries(totals) as DashboardShape['by_status'];
}

function sum(rows: { total: number }[]): number {
  return rows.reduce((total, row) => total + row.total, 0);
}
