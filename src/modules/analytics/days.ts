import { addDays, localDay } from '../../platform/local-day.ts';
import type { RangeDays } from './range.ts';

const DAY_MS = 86_400_000;

/** A range that ends today, and the one just as long before it. All four days are included. */
export type Periods = { previousFrom: string; previousTo: string; from: string; to: string };

export function periodsOf(now: Date, timeZone: string, rangeDays: RangeDays): Periods {
  const to = localDay(now, timeZone);
  const from = addDays(to, 1 - rangeDays);
  return { previousFrom: addDays(from, -rangeDays), previousTo: addDays(from, -1), from, to };
}

export function daysBetween({ from, to }: { from: string; to: string }): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

/** The number of days from the first date to the second; negative when that is earlier. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
