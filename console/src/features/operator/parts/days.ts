import { parseDate, today } from '@internationalized/date';
import { DEFAULT_TIME_ZONE } from '../../../i18n/index.ts';

// Billing days are in the time zone of Riyadh.

/** A billing day, `2026-11-15`, as a date to format. */
export function dayOf(text: string): Date {
  return parseDate(text.slice(0, 10)).toDate(DEFAULT_TIME_ZONE);
}

export function startOf(day: string): string {
  return dayOf(day).toISOString();
}

/** The last moment of a day. */
export function endOf(day: string): string {
  return new Date(parseDate(day).add({ days: 1 }).toDate(DEFAULT_TIME_ZONE).getTime() - 1).toISOString();
}

/** The day in Riyadh of a moment, as fields for dates have it. */
export function dayAt(moment: Date | string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: DEFAULT_TIME_ZONE }).format(new Date(moment));
}

export function todayInRiyadh(): string {
  return today(DEFAULT_TIME_ZONE).toString();
}

export function isOverdue(dueDate: string): boolean {
  return dueDate.slice(0, 10) < todayInRiyadh();
}

export function daysOverdue(dueDate: string): number {
  return today(DEFAULT_TIME_ZONE).compare(parseDate(dueDate.slice(0, 10)));
}
