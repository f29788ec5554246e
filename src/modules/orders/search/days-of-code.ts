/** Order numbers of these days: from the first instant up to but not including the last. */
export type DayRange = { from: Date; to: Date };

const BEGINNING_OF_CODE = /^DK-(\d{1,6})(?:-[A-Z0-9]{0,6})?$/;

/**
 * The days on which an order number with this beginning can have been given: `DK-2611` is November 2026. The number contains the
 * UTC day of the order's creation, so an index of its own for beginnings is not needed. Undefined when it is no beginning of an
 * order number, or only `DK-`.
 */
export function daysOfCode(capitals: string): DayRange | undefined {
  const [, digits] = BEGINNING_OF_CODE.exec(capitals) ?? [];
  if (digits === undefined || (capitals.length > 3 + digits.length && digits.length < 6)) return undefined;
  const first = partsOf(digits.padEnd(6, '0'));
  const last = partsOf(digits.padEnd(6, '9'));
  const from = Date.UTC(first.year, Math.max(first.month, 1) - 1, Math.max(first.day, 1));
  const lastMonth = Math.min(last.month, 12);
  const daysOfMonth = new Date(Date.UTC(last.year, lastMonth, 0)).getUTCDate();
  const to = Date.UTC(last.year, lastMonth - 1, Math.min(last.day, daysOfMonth) + 1);
  return from < to ? { from: new Date(from), to: new Date(to) } : undefined;
}

function partsOf(digits: string): { year: number; month: number; day: number } {
  const numberAt = (index: number) => Number(digits.slice(index, index + 2));
  return { year: 2000 + numberAt(0), month: numberAt(2), day: numberAt(4) };
}
