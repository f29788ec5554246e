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
  { from: 0, to: 1, lagDays: 0, shares: [0.02, 0.05, 0.15, 0.1, 0.68], meanShares: [0.05, 0.05, 0.05, 0.15, 0.7] },
  { from: 1, to: 2, lagDays: 1, shares: [0.02, 0.12, 0.1, 0.14, 0.62], meanShares: [0.05, 0.05, 0.05, 0.15, 0.7] },
  { from: 2, to: 4, lagDays: 3, shares: [0.2, 0.05, 0.13, 0.2, 0.42], meanShares: [0.05, 0.05, 0.1, 0.25, 0.55] },
  { from: 4, to: 7, lagDays: 5, shares: [0.3, 0.1, 0.2, 0.05, 0.35], meanShares: [0.1, 0.05, 0.1, 0.2, 0.55] },
  { from: 7, to: 14, lagDays: 10, shares: [0.32, 0.12, 0.16, 0, 0.4], meanShares: [0.2, 0.1, 0.15, 0.05, 0.5] },
  {
    from: 14,
    to: Number.POSITIVE_INFINITY,
    lagDays: 21,
    shares: [0.45, 0.13, 0.17, 0, 0.25],
    meanShares: [0.3, 0.15, 0.1, 0.05, 0.4],
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

/** For each lead, and last for stretches, the rates in their shares: what is left to 1 is the share of likeness. */
type RecencyWeights = { weights: Float64Array; likenessShare: number }[];

/** They depend on the number of days alone, of which there are 366: 8 MB at most for all of them. */
const recencyByDayCount = new Map<number, RecencyWeights>();

/** Beyond the next days, the weeks around the same date of last year count a little more, where the history holds them. */
const LAST_YEAR = { share: 0.2, leastDays: 350, halfWindowDays: 20, leastLagDays: 10 };

export function recencyWeights(dayCount: number): RecencyWeights {
  let found = recencyByDayCount.get(dayCount);
  if (found === undefined) {
    found = LEADS.map(({ shares, lagDays }) => withLastYear(mixRates(dayCount, shares), lagDays));
    found.push(mixRates(dayCount, STRETCH_SHARES));
    recencyByDayCount.set(dayCount, found);
  }
  return found;
}

function mixRates(dayCount: number, shares: readonly number[]): RecencyWeights[number] {
  const weights = new Float64Array(dayCount);
  LEVEL_RATES.forEach((rate, k) => {
    const share = shares[k] as number;
    const total = (1 - (1 - rate) ** dayCount) / rate;
    let weight = share / total;
    for (let i = dayCount - 1; i >= 0; i -= 1) {
      (weights[i] as number) += weight;
      weight *= 1 - rate;
    }
  });
  return { weights, likenessShare: shares[LEVEL_RATES.length] as number };
}

function withLastYear({ weights, likenessShare }: RecencyWeights[number], lagDays: number): RecencyWeights[number] {
  const { share, leastDays, halfWindowDays, leastLagDays } = LAST_YEAR;
  if (weights.length < leastDays || lagDays < leastLagDays) return { weights, likenessShare };
  const from = Math.max(0, lagDays - halfWindowDays);
  const to = lagDays + halfWindowDays + 1;
  const added = share / (to - from);
  return {
    weights: weights.map((weight, i) => (1 - share) * weight + (i >= from && i < to ? added : 0)),
    likenessShare: (1 - share) * likenessShare,
  };
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
    // A bell without the cost of exp: (1 - d²/9)⁴ is within 0.03 of exp(-d²/2).
    const near = Math.max(0, 1 - (distance * distance) / 9);
    const weight = recency * (near * near * near * near + UNLIKE_WEIGHT);
    weights[i] = weight;
    sum += weight;
    recency *= 1 - LIKENESS_RATE;
  }
  if (!(sum > 0)) return false;
  for (let i = first; i < weights.length; i += 1) (weights[i] as number) /= sum;
  return true;
}

/** Recency and likeness in the shares of a lead, adding up to 1; without likeness, its share goes to recency. */
export function mixWeights(
  { weights, likenessShare }: RecencyWeights[number],
  likeness: Float64Array,
  hasLikeness: boolean,
  mixed: Float64Array,
): void {
  const scale = hasLikeness ? 1 : 1 / (1 - likenessShare);
  const share = hasLikeness ? likenessShare : 0;
  for (let i = 0; i < mixed.length; i += 1) {
    mixed[i] = scale * (weights[i] as number) + share * (likeness[i] as number);
  }
}
