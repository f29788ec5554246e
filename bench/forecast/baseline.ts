/** Levels that the primary score is made of. */
export const SCORED_LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/** Of the normal distribution, at 0.025, the scored levels and 0.975. */
export const NORMAL_QUANTILES = [
  -1.959964, -1.281552, -0.841621, -0.524401, -0.253347, 0, 0.253347, 0.524401, 0.841621, 1.281552, 1.959964,
];

/** What any method says: a mean a day, and for those that know more, 11 quantiles a day. */
export type Said = { mean: Float64Array; quantiles: Float64Array[] | undefined };

/** `history` begins with the first sale; a closed day is NaN. */
export type Baseline = (history: Float64Array, horizon: number) => Said;

export function normalQuantiles(mean: Float64Array, deviation: (day: number) => number): Float64Array[] {
  return NORMAL_QUANTILES.map((z) => mean.map((value, day) => value + z * deviation(day)));
}

/** For methods that need every day: a closed one gets what the week before had. */
export function bridgeClosedDays(history: Float64Array): Float64Array {
  const bridged = history.slice();
  for (let i = 0; i < bridged.length; i += 1) {
    if (Number.isNaN(bridged[i])) bridged[i] = i >= 7 ? (bridged[i - 7] as number) : 0;
  }
  return bridged;
}
