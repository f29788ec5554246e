import { LRUCache } from 'lru-cache';
import { isTimeZone } from '../time-zone.ts';

/** Years outside this range are conversion errors of the vendor. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2199;

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;
const WITH_OFFSET = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))? ?(Z|[+-]\d{2}(?::?\d{2})?)$/i;
/** The format of JavaScript's `Date`: `Sun Jun 26 2022 12:21:48 GMT+0300`. */
const SPELT_OUT = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT([+-]\d{2}):?(\d{2})/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The instant of a vendor's timestamp; undefined when it is invalid. A text without an offset is local time in `zone` (`UTC`
 * where the vendor documents it). A day that does not exist (31 June) is invalid.
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
    return plausible(new Date(`${day}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${sign}`), day);
  }
  const local = LOCAL.exec(plain);
  if (local === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0'] = local;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const localMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  const shown = new Date(localMs);
  const isRealDay =
    shown.getUTCMonth() === Number(month) - 1 && shown.getUTCDate() === Number(day) && Number(hour) < 24;
  if (!isRealDay || Number(minute) > 59 || Number(second) > 59) return undefined;
  return plausible(new Date(localMs - offsetMsAt(localMs, zone)));
}

/** Seconds since 1970, or milliseconds where the number is too large for seconds. */
export function findUnixInstant(value: number | undefined): Date | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return plausible(new Date(Math.abs(value) < 100_000_000_000 ? value * 1000 : value));
}

/** In microseconds, for ordering updates. */
export function revisionOf(instant: Date): bigint {
  return BigInt(instant.getTime()) * 1000n;
}

function plausible(instant: Date, day?: string): Date | undefined {
  if (Number.isNaN(instant.getTime())) return undefined;
  const year = instant.getUTCFullYear();
  // JavaScript turns 31 June into 1 July without an error.
  const isRealDay = day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return year >= FIRST_YEAR && year <= LAST_YEAR && isRealDay ? instant : undefined;
}

/** There are about 600 zones, but their names are case-insensitive and come from vendors: the cache needs a limit. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({
  max: 1_000,
  memoMethod(zone) {
    const timeZone = isTimeZone(zone) ? zone : 'UTC';
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset', hourCycle: 'h23' });
  },
});

function offsetAtInstantMs(instantMs: number, zone: string): number {
  const name =
    formatters
      .memo(zone)
      .formatToParts(instantMs)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const found = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
  if (found === null || found[1] === undefined) return 0;
  const [, sign, hours, minutes, seconds = '0'] = found;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000);
}

/** Offset of the zone at a local time. Computed twice, since the first result may be from the other side of a clock change. */
function offsetMsAt(localMs: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const guessMs = offsetAtInstantMs(localMs, zone);
  return offsetAtInstantMs(localMs - guessMs, zone);
}
