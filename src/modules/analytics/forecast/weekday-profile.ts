import { weekdayOf } from './days.ts';

/** How far the weekday factors of SKUs of one shop lie from the shop's, as a variance; of 0.005 to 0.4, 0.005 to 0.02 did best. */
const SPREAD_WITHIN_SHOP = 0.02;

/** A weekday that sells less than this share of a usual day is a closed one: its amounts say nothing about the level. */
export const CLOSED_WEEKDAY = 0.05;

const FLAT = new Float64Array(7).fill(1);

/**
 * Factors by weekday, Sunday first, mean 1: the SKU's own means drawn towards the shop's, the more so the noisier they are.
 * Without a shop they are drawn towards a flat week.
 */
export function fitWeekdayProfile(
  quantities: Float64Array,
  firstEpochDay: number,
  pooled: Float64Array = FLAT,
): Float64Array {
  const sums = new Float64Array(7);
  const counts = new Float64Array(7);
  const firstWeekday = weekdayOf(firstEpochDay);
  let squares = 0;
  for (let i = 0, weekday = firstWeekday; i < quantities.length; i += 1, weekday = weekday === 6 ? 0 : weekday + 1) {
    const quantity = quantities[i] as number;
    if (!(quantity >= 0)) continue;
    (sums[weekday] as number) += quantity;
    (counts[weekday] as number) += 1;
    squares += quantity * quantity;
  }
  let total = 0;
  let days = 0;
  for (let weekday = 0; weekday < 7; weekday += 1) {
    total += sums[weekday] as number;
    days += counts[weekday] as number;
  }
  const profile = new Float64Array(7);
  if (!(total > 0)) return profile.fill(1);
  const mean = total / days;
  let explained = 0;
  for (let weekday = 0; weekday < 7; weekday += 1) {
    const count = counts[weekday] as number;
    if (count > 0) explained += (sums[weekday] as number) ** 2 / count;
  }
  const noise = Math.max(1e-9, (squares - explained) / days / (mean * mean));
  let profileSum = 0;
  for (let weekday = 0; weekday < 7; weekday += 1) {
    const count = counts[weekday] as number;
    const weight = (count * SPREAD_WITHIN_SHOP) / noise;
    const own = count > 0 ? (sums[weekday] as number) / count / mean : 0;
    const factor = ((pooled[weekday] as number) + weight * own) / (1 + weight);
    profile[weekday] = factor;
    profileSum += factor;
  }
  for (let weekday = 0; weekday < 7; weekday += 1) (profile[weekday] as number) *= 7 / profileSum;
  return profile;
}
