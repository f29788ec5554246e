export type DemandClass = 'smooth' | 'erratic' | 'intermittent' | 'lumpy' | 'too_little_history';

/** Fewer days than two weeks show no week, and fewer sales than three no size. */
const LEAST_KNOWN_DAYS = 14;
const LEAST_SALE_DAYS = 3;

// The borders of Syntetos, Boylan and Croston (2005), which the whole field uses.
const LONG_INTERVAL_DAYS = 1.32;
const HIGH_SQUARED_VARIATION = 0.49;

/** `quantities` from the first sale on; NaN is no day. */
export function classifyDemand(quantities: ArrayLike<number>): DemandClass {
  let knownDays = 0;
  let saleDays = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < quantities.length; i += 1) {
    const quantity = quantities[i] as number;
    if (!(quantity >= 0)) continue;
    knownDays += 1;
    if (quantity === 0) continue;
    saleDays += 1;
    sum += quantity;
    squares += quantity * quantity;
  }
  if (knownDays < LEAST_KNOWN_DAYS || saleDays < LEAST_SALE_DAYS) return 'too_little_history';
  const isSparse = knownDays / saleDays >= LONG_INTERVAL_DAYS;
  const mean = sum / saleDays;
  const isUneven = squares / saleDays / (mean * mean) - 1 >= HIGH_SQUARED_VARIATION;
  if (isSparse) return isUneven ? 'lumpy' : 'intermittent';
  return isUneven ? 'erratic' : 'smooth';
}
