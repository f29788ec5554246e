// RFC 3339 with an offset; the pattern is the grammar, Date.parse decides whether the day exists. Hour 24 is ISO 8601 only.
const RFC3339 = /^(\d{4})-\d{2}-\d{2}[Tt ](?!24)\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** True for a time that both JavaScript and PostgreSQL can hold: no leap seconds, no 30 February, no year zero. */
export function isInstant(text: string): boolean {
  return parseInstant(text) !== undefined;
}

export function parseInstant(text: string): Date | undefined {
  const match = RFC3339.exec(text);
  if (match === null || match[1] === '0000') return undefined;
  const instant = new Date(text.replace(' ', 'T'));
  if (Number.isNaN(instant.getTime())) return undefined;
  const year = instant.getUTCFullYear();
  // JavaScript rolls 30 February over into March; the day that was written must be the day that was meant.
  if (year < 1 || year > 9999 || !isCalendarDay(text.slice(0, 10))) return undefined;
  return instant;
}

function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === day;
}
