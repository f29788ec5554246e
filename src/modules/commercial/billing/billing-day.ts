/** Billing uses the time of Riyadh: UTC+3 all year. */
const RIYADH_AHEAD_MS = 3 * 3_600_000;

/** The day it is in Riyadh: YYYY-MM-DD. Days compare as text. */
export function billingDay(now: Date): string {
  return new Date(now.getTime() + RIYADH_AHEAD_MS).toISOString().slice(0, 10);
}

/** When that day begins. */
export function startOfBillingDay(day: string): Date {
  return new Date(Date.parse(day) - RIYADH_AHEAD_MS);
}

/** The first day of its month, which identifies a period. */
export function periodOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

export function addMonths(period: string, months: number): string {
  const at = new Date(period);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 10);
}

/** Every period after the first, up to and including the second. */
export function periodsBetween(after: string, through: string): string[] {
  const periods: string[] = [];
  for (let period = addMonths(periodOf(after), 1); period <= through; period = addMonths(period, 1)) {
    periods.push(period);
  }
  return periods;
}
