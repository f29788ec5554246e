import { addDays } from '../../../platform/local-day.ts';
import { roundToCurrency, toNumber } from '../../../platform/money.ts';
import { listBranchLabels } from '../../branches/index.ts';
import type { Tenant } from '../../identity/index.ts';
import { readOrganizationDefaults } from '../../identity/index.ts';
import {
  type DaySpan,
  findFirstSalesDay,
  listSalesDays,
  readSalesVersions,
  type SalesOfDay,
  sumBranches,
} from '../../sales/index.ts';
import { daysBetween, periodsOf } from '../days.ts';
import type { RangeDays } from '../range.ts';
import type { Sources } from '../section-context.ts';
import { percentChange } from '../sections/summary.ts';
import { shareOf } from '../share-of.ts';
import type { BranchFiguresShape, LastYearShape } from './schema.ts';
import { sumRevenue } from './sum-revenue.ts';

/** 52 weeks: a Friday is compared with a Friday. */
const YEAR_DAYS = 364;

export type SalesViewer = Pick<Tenant, 'organizationId' | 'branchId' | 'timeZone'>;
export type SalesSources = Pick<Sources, 'sql' | 'clock' | 'cache'>;

/** Reads again only when a sale of the organization has changed: at worst the value is newer than its version says. */
async function readCached<T>(
  { sql, cache }: SalesSources,
  organizationId: string,
  name: string,
  days: DaySpan,
  read: () => Promise<T>,
) {
  const { latest } = await readSalesVersions(sql, organizationId, days);
  return cache.get(organizationId, name, latest, async () => ({ version: latest, value: await read() }));
}

export async function readBranchFigures(
  sources: SalesSources,
  viewer: SalesViewer,
  rangeDays: RangeDays,
): Promise<BranchFiguresShape> {
  const { organizationId, branchId, timeZone } = viewer;
  const { from, to } = periodsOf(sources.clock.now(), timeZone, rangeDays);
  const { currency } = await readOrganizationDefaults(sources.sql, organizationId);
  const rows = await readCached(
    sources,
    organizationId,
    `branches ${branchId} ${from} ${to} ${currency}`,
    { from, to },
    () => sumBranches(sources.sql, viewer, { from, to }, currency),
  );
  // Names are not cached: a branch is renamed without a sale.
  const labels = await listBranchLabels(sources.sql, organizationId);
  const branches = new Map(labels.map((label) => [label.id, label]));
  const all = rows.reduce((sum, { revenue }) => sum + revenue, 0);
  const items = rows.map(({ branch_id, ...figures }) => {
    const { iv_id = null, name_en = null, name_ar = null } = branches.get(branch_id) ?? {};
    return { branch_iv_id: iv_id, name_en, name_ar, ...figures, share: shareOf(figures.revenue, all) };
  });
  return { organization_id: organizationId, range_days: rangeDays, currency, items };
}

export async function readLastYear(
  sources: SalesSources,
  viewer: SalesViewer,
  rangeDays: RangeDays,
): Promise<LastYearShape> {
  const { organizationId, branchId, timeZone } = viewer;
  const { sql, clock } = sources;
  const now = periodsOf(clock.now(), timeZone, rangeDays);
  const from = addDays(now.from, -YEAR_DAYS);
  const to = addDays(now.to, -YEAR_DAYS);
  const { currency } = await readOrganizationDefaults(sql, organizationId);
  const head = { organization_id: organizationId, range_days: rangeDays, currency, from, to };
  const firstDay = await findFirstSalesDay(sql, viewer);
  if (firstDay === undefined || firstDay > from) {
    return { ...head, is_known: false, orders: 0, revenue: 0, change: { orders: null, revenue: null }, trends: [] };
  }
  const [before, current] = await readCached(
    sources,
    organizationId,
    `last year ${branchId} ${from} ${now.from} ${currency}`,
    now,
    () => Promise.all([listSalesDays(sql, viewer, { from, to }, currency), listSalesDays(sql, viewer, now, currency)]),
  );
  const [then, today] = [totalOf(before, currency), totalOf(current, currency)];
  const byDay = new Map(before.map((day) => [day.date, day]));
  return {
    ...head,
    is_known: true,
    ...then,
    change: {
      orders: percentChange(then.orders, today.orders),
      revenue: percentChange(then.revenue, today.revenue),
    },
    trends: daysBetween({ from, to }).map((date) => {
      const day = byDay.get(date);
      return { date, ...totalOf(day === undefined ? [] : [day], currency) };
    }),
  };
}

function totalOf(days: readonly SalesOfDay[], currency: string): { orders: number; revenue: number } {
  const orders = days.reduce((sum, day) => sum + day.orders, 0);
  return { orders, revenue: toNumber(roundToCurrency(sumRevenue(days), currency)) };
}
