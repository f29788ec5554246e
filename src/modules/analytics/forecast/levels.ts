/** How fast a level forgets, a day: half of the weight lies in the last 346, 46, 14 and 4 days. */
export const LEVEL_RATES = [0.002, 0.015, 0.05, 0.15] as const;

/** The last days alone, against which the slower levels show a burst or a lull. */
export const BURST_RATE = 0.2;

/** Counted as so many days of the overall mean, so that the first days of a history are no bursts. */
const HEAD_START_DAYS = { slow: 10, burst: 1 };

/**
 * `levels[k][i]` is the discounted mean of what came before `i` at rate k, and `levels[k][length]` the present one. A ratio
 * of two discounted sums needs no starting value, which on short histories is what smoothing errs by.
 */
export function trackLevels(
  values: Float64Array,
  overallMean: number,
): { levels: Float64Array[]; burst: Float64Array } {
  const levels = LEVEL_RATES.map((rate) =>
    trackLevel(values, overallMean, rate, Math.min(HEAD_START_DAYS.slow, 0.15 / rate)),
  );
  return { levels, burst: trackLevel(values, overallMean, BURST_RATE, HEAD_START_DAYS.burst) };
}

function trackLevel(values: Float64Array, start: number, rate: number, startDays: number): Float64Array {
  const level = new Float64Array(values.length + 1);
  const decay = 1 - rate;
  let sum = start * startDays;
  let days = startDays;
  for (let i = 0; i < values.length; i += 1) {
    level[i] = sum / days;
    sum = sum * decay + (values[i] as number);
    days = days * decay + 1;
  }
  level[values.length] = sum / days;
  return level;
}
