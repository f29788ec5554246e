import type { Sql } from '../../platform/database/index.ts';
import { addDays, localDay } from '../../platform/local-day.ts';
import { type DayFigures, readDayFigures } from './sql/health.ts';

/** As long as payloads are kept. */
export const MAX_HEALTH_DAYS = 30;

/** One row a day, oldest first, days without a payload included, by the calendar of the organization. */
export async function readHealth(
  sql: Sql,
  install: { organizationId: string; installId: string },
  { days, timeZone, now }: { days: number; timeZone: string; now: Date },
): Promise<DayFigures[]> {
  const today = localDay(now, timeZone);
  const first = addDays(today, 1 - days);
  const found = new Map((await readDayFigures(sql, { ...install, first, timeZone })).map((row) => [row.date, row]));
  return Array.from({ length: days }, (_, index) => {
    const date = addDays(first, index);
    return found.get(date) ?? { date, received: 0, processed: 0, failed: 0 };
  });
}
