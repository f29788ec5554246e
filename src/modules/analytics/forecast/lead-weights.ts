import { LEVEL_RATES } from './levels.ts';

/**
 * A forecast is the past, weighed. Each past day counts by how recent it is, at several rates, and by how alike the days
 * before it were to the days before now: what came two days after a burst like this one says more about the day after
 * tomorrow than last week does. How much of each depends on how far ahead a day lies.
 */
export type Lead = {
  /** Days ahead, from the first to before the last. */
  from: number;
  to: number;
  /** How far behind the state is that a past day is compared by. */
  lagDays: number;
  /** Shares of the rates of `LEVEL_RATES`, then of likeness; they add up to 1. */
  shares: readonly number[];
  /** The same for the mean, which has squared errors to answer for. */
  meanShares: readonly number[];
};

/** Chosen on early origins alone; see README.md. */
export const LEADS: readonly Lead[] = [
  { from: 0, to: 1, lagDays: 0, shares: [0.05, 0.1, 0.1, 0.15, 0.6], meanShares: [0.1, 0.2, 0.2, 0.2, 0.3] },
  { from: 1, to: 2, lagDays: 1, shares: [0.05, 0.1, 0.1, 0.15, 0.6], meanShares: [0.1, 0.2, 0.2, 0.2, 0.3] },
  { from: 2, to: 4, lagDays: 3, shares: [0.1, 0.1, 0.15, 0.15, 0.5], meanShares: [0.1, 0.2, 0.3, 0.1, 0.3] },
  { from: 4, to: 7, lagDays: 5, shares: [0.1, 0.15, 0.15, 0.1, 0.5], meanShares: [0.1, 0.3, 0.3, 0, 0.3] },
  { from: 7, to: 14, lagDays: 10, shares: [0.15, 0.2, 0.15, 0, 0.5], meanShares: [0.2, 0.3, 0.2, 0, 0.3] },
  {
    from: 14,
    to: Number.POSITIVE_INFINITY,
    lagDays: 21,
    shares: [0.2, 0.2, 0.1, 0, 0.5],
    meanShares: [0.2, 0.4, 0.1, 0, 0.3],
  },
];

/** Shares for whole stretches of days, which sums are made of. */
export const STRETCH_SHARES: readonly number[] = [0.15, 0.25, 0.2, 0, 0.4];

const LIKENESS_RATE = 0.005;
const LIKENESS_WIDTH = 0.4;
/** What a day unlike the present one still counts. */
const UNLIKE_WEIGHT = 0.01;
/** Days at the beginning whose state is mostly the head start. */
const STATELESS_DAYS = 14;
/** Of a usual day, added to levels before they are compared, so that nothing against almost nothing is no burst. */
const STEADYING_SHARE = 0.15;

/** Log of the burst level over the slow one, for each day and for now. */
export function burstStates(burst: Float64Array, slow: Float64Array, overallMean: number): Float64Array {
  const states = new Float64Array(burst.length);
  const steadying = STEADYING_SHARE * overallMean;
  for (let i = 0; i < burst.length; i += 1) {
    states[i] = Math.log(((burst[i] as number) + steadying) / ((slow[i] as number) + steadying));
  }
  return states;
}

/** One row a rate, each adding up to 1: they are the same for every lead. */
export function recencyWeights(dayCount: number): Float64Array[] {
  return LEVEL_RATES.map((rate) => {
    const weights = new Float64Array(dayCount);
    const kept = 1 - rate;
    let weight = 1;
    let sum = 0;
    for (let i = dayCount - 1; i >= 0; i -= 1) {
      weights[i] = weight;
      sum += weight;
      weight *= kept;
    }
    for (let i = 0; i < dayCount; i += 1) (weights[i] as number) /= sum;
    return weights;
  });
}

/** Adds up to 1; false, and all zeros, where no day has a state to be compared by. */
export function likenessWeights(states: Float64Array, lagDays: number, weights: Float64Array): boolean {
  const now = states[states.length - 1] as number;
  const first = Math.min(STATELESS_DAYS + lagDays, weights.length);
  weights.fill(0, 0, first);
  let recency = 1;
  let sum = 0;
  for (let i = weights.length - 1; i >= first; i -= 1) {
    const distance = ((states[i - lagDays] as number) - now) / LIKENESS_WIDTH;
    const weight = recency * (Math.exp(-0.5 * distance * distance) + UNLIKE_WEIGHT);
    weights[i] = weight;
    sum += weight;
    recency *= 1 - LIKENESS_RATE;
  }
  if (!(sum > 0)) return false;
  for (let i = first; i < weights.length; i += 1) (weights[i] as number) /= sum;
  return true;
}

/** The rates and likeness in the shares of a lead; without likeness, its share goes to the others. */
export function mixWeights(
  recency: Float64Array[],
  likeness: Float64Array | undefined,
  shares: readonly number[],
  mixed: Float64Array,
): void {
  const likenessShare = likeness === undefined ? 0 : (shares[recency.length] as number);
  const scale = likeness === undefined ? 1 / (1 - (shares[recency.length] as number)) : 1;
  mixed.fill(0);
  for (let k = 0; k < recency.length; k += 1) {
    const share = (shares[k] as number) * scale;
    if (share === 0) continue;
    const weights = recency[k] as Float64Array;
    for (let i = 0; i < mixed.length; i += 1) (mixed[i] as number) += share * (weights[i] as number);
  }
  if (likeness === undefined) return;
  for (let i = 0; i < mixed.length; i += 1) (mixed[i] as number) += likenessShare * (likeness[i] as number);
}
