/** Both days included, as `2026-11-15`. */
export type DaySpan = { from: string; to: string };

/** Months from here on, with these days added (1) or taken out again (-1). A span that ends before it begins has none. */
export type SplitSpan = { monthsFrom: string; days: DaySpan; sign: 1 | -1 };

const DAY_MS = 86_400_000;

/** For a span up to the last day there is: months of which nothing has to be taken away at the end. */
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
