import { weekdayOf } from './days.ts';
import type { PooledProfile } from './types.ts';

const HALF_WINDOW_DAYS = 28;
/** How much of the shop's growth is taken for a SKU's own; on early origins none and all of it were both worse than half. */
const SHARE_OF_GROWTH = 0.5;
const MOST_CHANGE = 4;

/**
 * The shop's sales over what its weekdays make of it, in windows of eight weeks around each day; at the end the four weeks before
 * it. A season that lifts everything (a feast, a school year) shows here long before it does in the few sales of one SKU.
 */
export function shopLevelOf(
  shopByDay: ReadonlyMap<number, { sum: number; expected: number }>,
  weekday: Float64Array,
): PooledProfile['shopLevel'] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const day of shopByDay.keys()) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  if (!(last >= first)) return { firstEpochDay: 0, overNow: new Float64Array(0) };
  const dayCount = last - first + 1;
  const sums = new Float64Array(dayCount + 1);
  const expected = new Float64Array(dayCount + 1);
  for (let i = 0; i < dayCount; i += 1) {
    const shop = shopByDay.get(first + i);
    sums[i + 1] = (sums[i] as number) + (shop?.sum ?? 0);
    expected[i + 1] = (expected[i] as number) + (shop?.expected ?? 0) * (weekday[weekdayOf(first + i)] as number);
  }
  const levelAt = (i: number) => {
    const [from, to] = [Math.max(0, i - HALF_WINDOW_DAYS), Math.min(dayCount, i + HALF_WINDOW_DAYS)];
    const usual = (expected[to] as number) - (expected[from] as number);
    return usual > 0 ? ((sums[to] as number) - (sums[from] as number)) / usual : 0;
  };
  const now = levelAt(dayCount);
  const overNow = new Float64Array(dayCount);
  for (let i = 0; i < dayCount; i += 1) {
    const change = now > 0 ? levelAt(i) / now : 1;
    overNow[i] = change > 0 ? Math.min(MOST_CHANGE, Math.max(1 / MOST_CHANGE, change)) ** SHARE_OF_GROWTH : 1;
  }
  return { firstEpochDay: first, overNow };
}
