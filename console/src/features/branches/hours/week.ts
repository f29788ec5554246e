import type { Schemas } from '@dukkan/sdk';

type Period = Schemas['WorkingPeriod'];
export type WeekDay = Schemas['WeekDay'];
export const WEEK_DAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const satisfies readonly WeekDay[];

export const DAY = 24 * 60;
const WEEK = 7 * DAY;

/** Minutes since the day began; a close past midnight is more than a day's worth, so that it belongs to the day that opened. */
export type Hours = { open: number; close: number };
export type Week = Record<WeekDay, readonly Hours[]>;

export function weekOf(periods: readonly Period[]): Week {
  const of = (day: WeekDay) =>
    periods
      .filter(({ WeekDay }) => WeekDay === day)
      .map(({ OpenHour, OpenMinute, CloseHour, CloseMinute }) =>
        hoursOf(OpenHour * 60 + OpenMinute, CloseHour * 60 + CloseMinute),
      )
      .sort((a, b) => a.open - b.open);
  return {
    Sunday: of('Sunday'),
    Monday: of('Monday'),
    Tuesday: of('Tuesday'),
    Wednesday: of('Wednesday'),
    Thursday: of('Thursday'),
    Friday: of('Friday'),
    Saturday: of('Saturday'),
  };
}

/** A close at or before the open is on the next day. */
export function hoursOf(open: number, close: number): Hours {
  return { open, close: close <= open ? close + DAY : close };
}

/** As the service takes them: a close past midnight is written as the time of the next day. */
export function periodsOf(week: Week): Period[] {
  return WEEK_DAYS.flatMap((day) =>
    week[day].map(({ open, close }) => {
      const shown = close > DAY ? close - DAY : close;
      return {
        WeekDay: day,
        OpenHour: Math.floor(open / 60),
        OpenMinute: open % 60,
        CloseHour: Math.floor(shown / 60),
        CloseMinute: shown % 60,
      };
    }),
  );
}

/** `HH:MM`; midnight at the end of a day is 24:00. */
export function timeText(minute: number): string {
  const shown = minute > DAY ? minute - DAY : minute;
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`;
}

/** What people write for a time: 9, 930, 9:30, 21.30, ٩:٣٠, 9 pm, 9م. */
export function readTime(text: string): number | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  const match = /^(\d{1,2})(?:[:.٫h]?(\d{2}))?\s*(am|pm|ص|م)?$/.exec(plain);
  if (match === null) return undefined;
  const half = match[3];
  const minute = Number(match[2] ?? 0);
  let hour = Number(match[1]);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half === 'pm' || half === 'م' ? 12 : 0);
  }
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return undefined;
  return hour * 60 + minute;
}

type Span = { day: WeekDay; index: number; start: number; end: number };

function spansOf(week: Week): Span[] {
  return WEEK_DAYS.flatMap((day, dayIndex) =>
    week[day].map(({ open, close }, index) => ({
      day,
      index,
      start: dayIndex * DAY + open,
      end: dayIndex * DAY + close,
    })),
  ).sort((a, b) => a.start - b.start);
}

/** Those that overlap another, by `Sunday 0`. Saturday's night reaches into Sunday. */
export function overlapping(week: Week): ReadonlySet<string> {
  const spans = spansOf(week);
  const found = new Set<string>();
  for (const [index, span] of spans.entries()) {
    for (const other of spans.slice(index + 1)) {
      const isAfter = other.start < span.end;
      const isAroundTheEnd = span.start + WEEK < other.end;
      if (!isAfter && !isAroundTheEnd) continue;
      found.add(`${span.day} ${span.index}`);
      found.add(`${other.day} ${other.index}`);
    }
  }
  return found;
}

export function minutesAWeek(week: Week): number {
  return WEEK_DAYS.flatMap((day) => week[day]).reduce((sum, { open, close }) => sum + close - open, 0);
}

/** What of the evening before reaches into this day, in its minutes. */
export function fromTheDayBefore(week: Week, day: WeekDay): number {
  const before = WEEK_DAYS[(WEEK_DAYS.indexOf(day) + 6) % 7] as WeekDay;
  return Math.max(0, ...week[before].map(({ close }) => close - DAY));
}

export const dayBefore = (day: WeekDay): WeekDay => WEEK_DAYS[(WEEK_DAYS.indexOf(day) + 6) % 7] as WeekDay;

export type Now =
  | { state: 'always' }
  | { state: 'open'; until: number }
  | { state: 'closed'; opens: number; day: WeekDay; isToday: boolean; inMinutes: number }
  | { state: 'never' };

/** Open or closed at an instant, in the branch's time zone, and until when. Adjacent hours are joined. */
export function stateAt(week: Week, at: Date, timeZone: string): Now {
  const spans = spansOf(week);
  if (spans.length === 0) return { state: 'never' };
  const now = minuteOfWeek(at, timeZone);
  // Two weeks: hours of last week may still be open, and the next opening may be next week.
  const around = [-WEEK, 0, WEEK].flatMap((shift) =>
    spans.map(({ start, end }) => ({ start: start + shift, end: end + shift })),
  );
  const current = around.find(({ start, end }) => start <= now && now < end);
  if (current !== undefined) {
    let { end } = current;
    for (const next of around) if (next.start <= end && next.end > end) end = next.end;
    return end - now >= WEEK ? { state: 'always' } : { state: 'open', until: end % DAY };
  }
  const next = around.find(({ start }) => start > now);
  if (next === undefined) return { state: 'never' };
  const dayIndex = Math.floor((((next.start % WEEK) + WEEK) % WEEK) / DAY);
  const day = WEEK_DAYS[dayIndex] as WeekDay;
  return {
    state: 'closed',
    opens: ((next.start % DAY) + DAY) % DAY,
    day,
    isToday: Math.floor(next.start / DAY) === Math.floor(now / DAY),
    inMinutes: next.start - now,
  };
}

export function minuteOfWeek(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return WEEK_DAYS.indexOf(part('weekday') as WeekDay) * DAY + Number(part('hour')) * 60 + Number(part('minute'));
}
