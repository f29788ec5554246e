/** The day that a zone's calendar shows now, as `2026-11-15`. */
export function dayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, calendar: 'iso8601', numberingSystem: 'latn' }).format(
    new Date(),
  );
}

/** An instant that lies on the day in the zones of merchants, whose calendars are at most 12 hours from UTC. */
export const noonOf = (day: string): string => `${day}T12:00:00Z`;
