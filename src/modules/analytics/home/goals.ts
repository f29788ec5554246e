import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { addDays, localDay } from '../../../platform/local-day.ts';
import { type Decimal, decimal, roundToCurrency, toNumber } from '../../../platform/money.ts';
import { recordAudit } from '../../audit/index.ts';
import { readOrganizationDefaults, type Tenant } from '../../identity/index.ts';
import { listSalesDays } from '../../sales/index.ts';
import { countDays } from '../days.ts';
import { deleteGoal, findGoal, saveGoal } from '../sql/revenue-goals.ts';
import type { GoalBodyShape, GoalShape } from './schema.ts';
import { sumRevenue } from './sum-revenue.ts';

/** Four weeks: each weekday counts as often as the others. */
const PACE_DAYS = 28;

type Owner = Pick<Tenant, 'organizationId' | 'timeZone'>;

/** The goal of a month (as 2026-11; the current one when absent) and how far its revenue has come. */
export async function readGoal(
  { sql, clock }: { sql: Sql; clock: Clock },
  { organizationId, timeZone }: Owner,
  month: string | undefined,
): Promise<GoalShape> {
  const today = localDay(clock.now(), timeZone);
  const shown = month ?? today.slice(0, 7);
  const first = `${shown}-01`;
  const last = addDays(`${nextMonth(shown)}-01`, -1);
  const days = countDays(first, last) + 1;
  const elapsedDays = Math.max(0, Math.min(days, countDays(first, today)));
  const { currency } = await readOrganizationDefaults(sql, organizationId);
  const goal = await findGoal(sql, organizationId, first);
  const scope = { organizationId, branchId: null };
  const paceFrom = addDays(today, -PACE_DAYS);
  const ofMonth = await listSalesDays(sql, scope, { from: first, to: last }, currency);
  const ofPace = await listSalesDays(sql, scope, { from: paceFrom, to: addDays(today, -1) }, currency);
  const achieved = sumRevenue(ofMonth);
  const untilYesterday = sumRevenue(ofMonth.filter(({ date }) => date < today));
  // A shop younger than four weeks has the average of its own days.
  const paceDays = ofPace[0] === undefined ? PACE_DAYS : countDays(ofPace[0].date, today);
  const expected = toNumber(untilYesterday) + (toNumber(sumRevenue(ofPace)) / paceDays) * (days - elapsedDays);
  const inCurrency = (amount: Decimal) => toNumber(roundToCurrency(amount, currency));
  return {
    organization_id: organizationId,
    month: shown,
    currency,
    revenue: goal,
    achieved: inCurrency(achieved),
    projected: inCurrency(decimal(Math.max(toNumber(achieved), expected))),
    days,
    elapsed_days: elapsedDays,
  };
}

export function changeGoal(
  sql: Sql,
  clock: Clock,
  { organizationId, actor }: Pick<Tenant, 'organizationId' | 'actor'>,
  { month, revenue }: GoalBodyShape,
): Promise<void> {
  return inTransaction(sql, async (tx) => {
    const first = `${month}-01`;
    if ((await findGoal(tx, organizationId, first)) === revenue) return;
    const now = clock.now();
    if (revenue === null) await deleteGoal(tx, organizationId, first);
    else await saveGoal(tx, organizationId, { month: first, revenue }, now);
    const entry = {
      action: 'update',
      resource: 'Analytics',
      resourceId: organizationId,
      changedFields: ['revenue_goal'],
    };
    await recordAudit(tx, organizationId, actor, [entry], now);
  });
}

function nextMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}
