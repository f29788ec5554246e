import type { Clock } from '../../../platform/clock.ts';
import { inSnapshot, type Sql } from '../../../platform/database/index.ts';
import { startOfLocalDay } from '../../../platform/local-day.ts';
import type { Tenant } from '../../identity/index.ts';
import { MAX_QUICK_ROWS, slow } from '../list/expensive-reads.ts';
import { CANONICAL_STATUSES, canonicalPaymentStatus, canonicalStatus, isOpenStatus } from '../order-status.ts';
import { countByStatus } from '../sql/counts.ts';
import {
  countLate,
  type Earning,
  measureDashboard,
  readVocabulary,
  sumTakings,
  type Vocabulary,
} from '../sql/dashboard.ts';
import type { DashboardShape } from './dashboard-schema.ts';

const DEFAULT_CURRENCY = 'SAR';

/**
 * How the orders stand in this moment. Read from the orders and their counts, not from projections: an order placed
 * before the call is in the answer. All numbers are of one instant, so they agree with each other.
 */
export async function readDashboard(
  sql: Sql,
  clock: Clock,
  { organizationId, branchId, timeZone }: Tenant,
): Promise<DashboardShape> {
  const now = clock.now();
  const since = startOfLocalDay(now, timeZone);
  const rows = await measureDashboard(sql, { organizationId, branchId, since, now }, MAX_QUICK_ROWS + 1);
  const lane = rows > MAX_QUICK_ROWS ? slow(sql) : sql;
  return inSnapshot(lane, async (tx) => {
    const vocabulary = await readVocabulary(tx, organizationId);
    const [standing, takings, late] = await Promise.all([
      countByStatus(tx, organizationId, branchId),
      sumTakings(tx, { organizationId, branchId, since }, earningOf(vocabulary)),
      countLate(tx, { organizationId, branchId, now }),
    ]);
    const ofKind = (kind: string) => takings.filter((row) => row.kind === kind);
    const [all] = ofKind('all');
    return {
      organization_id: organizationId,
      today: { orders: all?.orders ?? 0, revenue: all?.revenue ?? 0 },
      open: sum(standing.filter((row) => isOpenStatus(row.order_status))),
      late,
      by_status: byCanonicalStatus(standing),
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
 * Statuses are kept as their sources spell them, so the spellings in use are looked up before the sum. Amounts in
 * several currencies have no sum: revenue is in the one that most of the tenant's orders are in.
 */
function earningOf(vocabulary: Vocabulary): Earning {
  const words = (column: 'order_status' | 'payment_status') => [...new Set(vocabulary.map((row) => row[column]))];
  const byCurrency = new Map<string, number>();
  for (const { currency, total } of vocabulary) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + total);
  const [main] = [...byCurrency].sort(
    ([one, oneTotal], [other, otherTotal]) => otherTotal - oneTotal || (one < other ? -1 : 1),
  );
  return {
    cancelledWords: words('order_status').filter((word) => canonicalStatus(word) === 'cancelled'),
    refundedWords: words('payment_status').filter((word) => canonicalPaymentStatus(word) === 'refunded'),
    currency: main?.[0] ?? DEFAULT_CURRENCY,
  };
}

/** Every status is named, those without orders too, so that a client need not know which may be missing. */
function byCanonicalStatus(standing: { order_status: string; total: number }[]): DashboardShape['by_status'] {
  const totals = CANONICAL_STATUSES.map((status) => [
    status,
    sum(standing.filter((row) => canonicalStatus(row.order_status) === status)),
  ]);
  return Object.fromEntries(totals) as DashboardShape['by_status'];
}

function sum(rows: { total: number }[]): number {
  return rows.reduce((total, row) => total + row.total, 0);
}
