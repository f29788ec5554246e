import { isTimeZone } from '../time-zone.ts';

/** What is older or later than anybody's order is a mistake in the making of a date, not a date. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2199;

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;
const WITH_OFFSET = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))? ?(Z|[+-]\d{2}(?::?\d{2})?)$/i;
/** What JavaScript's `Date` prints: `Sun Jun 26 2022 12:21:48 GMT+0300`. */
const SPELT_OUT = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT([+-]\d{2}):?(\d{2})/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The instant that a vendor's text means; nothing where it means none. A text without an offset is a clock on a wall in
 * `zone` (`UTC` where the vendor says so). A day that does not exist (the 31st of June) is none.
 */
export function findInstant(text: string | undefined, zone: string): Date | undefined {
  const plain = text?.trim() ?? '';
  const spelt = SPELT_OUT.exec(plain);
  if (spelt !== null) {
    const [, month = '', day = '', year, time, hours, minutes] = spelt;
    const monthNumber = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
    return findInstant(`${year}-${monthNumber}-${day.padStart(2, '0')}T${time}${hours}:${minutes}`, zone);
  }
  const offset = WITH_OFFSET.exec(plain);
  if (offset !== null) {
    const [, day, time, fraction = '0', away = 'Z'] = offset;
    const seconds = time?.length === 5 ? `${time}:00` : time;
    const sign = /^z$/i.test(away) ? 'Z' : `${away.slice(0, 3)}:${away.slice(3).replace(':', '') || '00'}`;
    return believable(new Date(`${day}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${sign}`), day);
  }
  const local = LOCAL.exec(plain);
  if (local === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0'] = local;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const wallMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  const wall = new Date(wallMs);
  const isRealDay = wall.getUTCMonth() === Number(month) - 1 && wall.getUTCDate() === Number(day) && Number(hour) < 24;
  if (!isRealDay || Number(minute) > 59 || Number(second) > 59) return undefined;
  return believable(new Date(wallMs - offsetMsAt(wallMs, zone)));
}

/** Seconds since 1970, or milliseconds where the number is too large for seconds. */
export function findUnixInstant(value: number | undefined): Date | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return believable(new Date(Math.abs(value) < 100_000_000_000 ? value * 1000 : value));
}

/** In microseconds, for comparing which of two came later. */
export function revisionOf(instant: Date): bigint {
  return BigInt(instant.getTime()) * 1000n;
}

function believable(instant: Date, day?: string): Date | undefined {
  if (Number.isNaN(instant.getTime())) return undefined;
  const year = instant.getUTCFullYear();
  // JavaScript turns the 31st of June into the 1st of July without a word.
  const isRealDay = day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return year >= FIRST_YEAR && year <= LAST_YEAR && isRealDay ? instant : undefined;
}

/** A zone has as many names as there are ways to write it in capitals; there are about 600 zones. */
const MAX_FORMATTERS = 1_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    const timeZone = isTimeZone(zone) ? zone : 'UTC';
    formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset', hourCycle: 'h23' });
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(zone, formatter);
  }
  return formatter;
}

function offsetAtInstantMs(instantMs: number, zone: string): number {
  const name =
    formatterOf(zone)
      .formatToParts(instantMs)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const found = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
  if (found === null || found[1] === undefined) return 0;
  const [, sign, hours, minutes, seconds = '0'] = found;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000);
}

/** How far the wall is ahead of UTC when it shows this. Asked twice, since the first answer may be of the other side of a change. */
function offsetMsAt(wallMs: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const guessMs = offsetAtInstantMs(wallMs, zone);
  return offsetAtInstantMs(wallMs - guessMs, zone);
}
