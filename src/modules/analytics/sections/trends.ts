import { daysBetween } from '../days.ts';
import type { Readings } from '../readings.ts';
import type { Trend } from '../schema.ts';

/** Every day of the range, those without orders too; nothing where no day has any. */
export async function readTrends(readings: Readings): Promise<Trend[]> {
  const rows = (await readings.sales()).filter((row) => row.kind === 'day');
  if (rows.length === 0) return [];
  const byDay = new Map(rows.map((row) => [row.local_day, row]));
  return daysBetween(readings.periods).map((date) => {
    const row = byDay.get(date);
    return { date, orders: row?.orders ?? 0, revenue: row?.revenue ?? 0, units: row?.units ?? 0 };
  });
}
