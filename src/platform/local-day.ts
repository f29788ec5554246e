const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than any day has ever been: a change of clocks adds an hour or two. */
const LONGEST_DAY_MINUTES = 26 * 60;

// Making a formatter costs many times what using one does (7 us), and there are only so many zones.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formatters.set(timeZone, made);
  return made;
}

/** The calendar day at an instant where the zone's clocks hang, as `2026-11-15`. */
export function localDay(instant: Date, timeZone: string): string {
  return formatterOf(timeZone).format(instant);
}

/** The calendar day `days` after `day` (`2026-11-15`); a negative count goes back. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The first instant of the day that a zone is in. Looked for rather than calculated: where clocks change at midnight
 * the day may begin at 01:00, or last 23 or 25 hours.
 */
export function startOfLocalDay(instant: Date, timeZone: string): Date {
  const today = localDay(instant, timeZone);
  const nowMinute = Math.floor(instant.getTime() / MINUTE_MS);
  let before = nowMinute - LONGEST_DAY_MINUTES;
  let within = nowMinute;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (localDay(new Date(middle * MINUTE_MS), timeZone) === today) within = middle;
    else before = middle;
  }
  return new Date(within * MINUTE_MS);
}
