import { epochDayOf } from './days.ts';

/** What a day is in the Hijri year, where shops sell otherwise than usual. */
export const DAY_KINDS = [
  'ordinary',
  'ramadan_week_1',
  'ramadan_week_2',
  'ramadan_week_3',
  'ramadan_last_days',
  'eid_al_fitr',
  'before_eid_al_adha',
  'eid_al_adha',
] as const;

export type DayKind = (typeof DAY_KINDS)[number];

/** Kinds of the days from `firstEpochDay` on, as indexes of `DAY_KINDS`. Days outside are ordinary. */
export type DemandCalendar = { firstEpochDay: number; kinds: Uint8Array };

/** By Gregorian year; the formatter takes microseconds a day, which a shop of 10,000 SKUs would otherwise pay for each. */
const kindsByYear = new Map<number, Uint8Array>();
const MOST_YEARS_KEPT = 64;
const DAY_MS = 86_400_000;

let hijri: Intl.DateTimeFormat | undefined;

/** Both days included. Made once for a shop and used for all its SKUs. */
export function makeCalendar(firstDay: string, lastDay: string): DemandCalendar {
  const firstEpochDay = epochDayOf(firstDay);
  const dayCount = epochDayOf(lastDay) - firstEpochDay + 1;
  if (!(dayCount > 0)) return { firstEpochDay: 0, kinds: new Uint8Array(0) };
  const kinds = new Uint8Array(dayCount);
  for (let i = 0; i < dayCount; i += 1) {
    const year = new Date((firstEpochDay + i) * DAY_MS).getUTCFullYear();
    const startOfYear = Date.UTC(year, 0, 1) / DAY_MS;
    kinds[i] = kindsOfYear(year)[firstEpochDay + i - startOfYear] as number;
  }
  return { firstEpochDay, kinds };
}

export function kindOfDay(calendar: DemandCalendar, epochDay: number): number {
  return calendar.kinds[epochDay - calendar.firstEpochDay] ?? 0;
}

function kindsOfYear(year: number): Uint8Array {
  const known = kindsByYear.get(year);
  if (known !== undefined) return known;
  hijri ??= new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
    timeZone: 'UTC',
    month: 'numeric',
    day: 'numeric',
  });
  const kinds = new Uint8Array(366);
  const start = Date.UTC(year, 0, 1);
  for (let i = 0; i < 366; i += 1) {
    let [month, day] = [0, 0];
    for (const part of hijri.formatToParts(start + i * DAY_MS)) {
      if (part.type === 'month') month = Number(part.value);
      if (part.type === 'day') day = Number(part.value);
    }
    kinds[i] = DAY_KINDS.indexOf(kindOf(month, day));
  }
  if (kindsByYear.size >= MOST_YEARS_KEPT) kindsByYear.clear();
  kindsByYear.set(year, kinds);
  return kinds;
}

function kindOf(month: number, day: number): DayKind {
  if (month === 9) {
    if (day <= 7) return 'ramadan_week_1';
    if (day <= 14) return 'ramadan_week_2';
    return day <= 21 ? 'ramadan_week_3' : 'ramadan_last_days';
  }
  if (month === 10 && day <= 3) return 'eid_al_fitr';
  if (month === 12 && day >= 5 && day <= 9) return 'before_eid_al_adha';
  if (month === 12 && day >= 10 && day <= 13) return 'eid_al_adha';
  return 'ordinary';
}
