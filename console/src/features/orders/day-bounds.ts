const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** First and last moment of a day such as `2026-11-19` in a time zone. `@internationalized/date` is 5 kB, which orders load with their calendar. */
export function dayBounds(day: string, timeZone: string): { first: Date; last: Date } {
  const next = new Date(Date.parse(`${day}T00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { first: startOf(day, timeZone), last: new Date(startOf(next, timeZone).getTime() - 1) };
}

function startOf(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00Z`);
  const guess = midnight - offsetMs(midnight, timeZone);
  const start = midnight - offsetMs(guess, timeZone);
  // Where clocks go forward at midnight, neither is midnight: the day begins with the later one.
  const isMidnight = start + offsetMs(start, timeZone) === midnight;
  return new Date(isMidnight ? start : Math.max(guess, start));
}

function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
}
