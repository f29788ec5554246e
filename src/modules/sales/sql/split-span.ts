/** First and last day, both included, as `2026-11-15`. */
export type DaySpan = { from: string; to: string };

/** The months from `monthsFrom` on, with the days added (1) or subtracted (-1). A span that ends before it begins is empty. */
export type SplitSpan = { monthsFrom: string; days: DaySpan; sign: 1 | -1 };

const DAY_MS = 86_400_000;

/** For a span up to the last day with sales, so that nothing has to be subtracted at its end. */
export function splitSpan({ from, to }: DaySpan): SplitSpan {
  const first = `${from.slice(0, 8)}01`;
  const next = nextMonth(first);
  const lastOfMonth = earlier(dayBefore(next), to);
  const inside = { from, to: lastOfMonth };
  const outside = { from: first, to: dayBefore(from) };
  return lengthOf(inside) < lengthOf(outside)
    ? { monthsFrom: next, days: inside, sign: 1 }
    : { monthsFrom: first, days: outside, sign: -1 };
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const dayBefore = (day: string) => isoDay(Date.parse(day) - DAY_MS);
const earlier = (one: string, other: string) => (one < other ? one : other);
const lengthOf = ({ from, to }: DaySpan) => Date.parse(to) - Date.parse(from) + DAY_MS;

function nextMonth(first: string): string {
  const date = new Date(first);
  return isoDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}
