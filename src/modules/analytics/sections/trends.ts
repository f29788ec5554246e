import { daysBetween } from '../days.ts';
import type { Trend } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';

/** Every day of the range, those without orders too; nothing where no day has any. */
export async function readTrends(context: SectionContext): Promise<Trend[]> {
  const rows = (await context.sales()).filter((row) => row.kind === 'day');
  if (rows.length === 0) return [];
  const byDay = new Map(rows.map((row) => [row.local_day, row]));
  return daysBetween(context.periods).map((date) => {
    const row = byDay.get(date);
    return { date, orders: row?.orders ?? 0, revenue: row?.revenue ?? 0, units: row?.units ?? 0 };
  });
}
