import { addMonths, billingDay, periodOf, startOfBillingDay } from '../modules/commercial/billing/index.ts';
import { addDays } from '../platform/local-day.ts';

const HOUR_MS = 3_600_000;

/** 01:00 of a day of an earlier month, in Riyadh. */
export function dayOf(now: Date, monthsBack: number, day: number): Date {
  const period = addMonths(periodOf(billingDay(now)), -monthsBack);
  return new Date(startOfBillingDay(addDays(period, day - 1)).getTime() + HOUR_MS);
}

/** The 20th of an earlier month. */
export function monthsAgo(now: Date, months: number): Date {
  return dayOf(now, months, 20);
}
