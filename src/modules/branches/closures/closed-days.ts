import { addDays } from '../../../platform/local-day.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK, periodSpan, type WorkingPeriod } from '../working-hours.ts';

/** What a zone's wall clock shows. */
export type LocalClock = { day: string; minuteOfWeek: number };

const RANGE = /\[(\d{4}-\d\d-\d\d),(\d{4}-\d\d-\d\d)\)/g;

/** First day inside, first day outside, from the text of a `datemultirange`. */
export function parseClosedDays(text: string): [start: string, end: string][] {
  return [...text.matchAll(RANGE)].map(([, start = '', end = '']) => [start, end]);
}

/**
 * A window belongs to the day on which it opens: one from 20:00 to 02:00 is closed as a whole by a closure on its first day, and
 * not cut at midnight by one that begins on the next. A window is at most 24 hours long, so it opened today or yesterday.
 */
export function isOpenOn(
  periods: readonly WorkingPeriod[],
  closedDays: string,
  { day, minuteOfWeek }: LocalClock,
): boolean {
  const closures = closedDays === '{}' ? [] : parseClosedDays(closedDays);
  return periods.some((period) => {
    const { startMinute, lengthMinutes } = periodSpan(period);
    const sinceOpen = (minuteOfWeek - startMinute + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
    if (sinceOpen >= lengthMinutes) return false;
    if (closures.length === 0) return true;
    const opensToday = Math.floor(startMinute / MINUTES_PER_DAY) === Math.floor(minuteOfWeek / MINUTES_PER_DAY);
    const openedOn = opensToday ? day : addDays(day, -1);
    return !closures.some(([start, end]) => start <= openedOn && openedOn < end);
  });
}
