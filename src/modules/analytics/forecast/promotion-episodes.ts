/**
 * Promotions come in episodes of a week or two, some months apart. Where those to come are not given, how long one has been on, or
 * over, still determines how likely each of the next days is to be in one; the SKUs of a shop share their advertising, so this is
 * learned from all of them.
 */
export type PromotionOdds = {
  /** By span of days ahead, then by state: days seen, and those of them that were in an episode. */
  days: Float64Array;
  episodeDays: Float64Array;
};

export type PromotionEpisodes = {
  /** By day of those known: within an episode, its days without a flag included. */
  isWithin: Uint8Array;
  /** By day and for now: for how long an episode has been on or over, as far as it was known on the morning of that day. */
  states: Uint8Array;
};

/** Days without a flag that do not end an episode: the flag is often recorded with a sale. */
const MOST_GAP_DAYS = 5;
/** Upper borders in days. */
const ON_DAYS = [2, 4, 6, 8, 10, 12, 14, 18, 25, 50, Number.POSITIVE_INFINITY];
const OVER_DAYS = [1, 2, 3, 5, 8, 14, 21, 35, 56, 84, Number.POSITIVE_INFINITY];
const NEVER_YET = ON_DAYS.length + OVER_DAYS.length;
const STATES = NEVER_YET + 1;
const LEAST_EPISODE_DAYS = 5;
/** A SKU that is promoted more than every other day has a standing price, not episodes. */
const MOST_EPISODE_SHARE = 0.5;
/** Before this many days of the shop in a state, the SKU's own share of episodes has more to say. */
const PRIOR_DAYS = 20;
/** Of 0, 0.25, 0.5 and 1, the middle ones did best on early origins. */
const TRUST_IN_SHOP = 0.5;

/** Days ahead, in spans within which the chance hardly changes; none reaches over the border of a lead in `LEADS`. */
export const SPANS: readonly { from: number; to: number }[] = [0, 1, 2, 4, 7, 10, 14, 21].map((from, i, all) => ({
  from,
  to: all[i + 1] ?? Number.POSITIVE_INFINITY,
}));
const LAST_SPAN_DAYS = 7;

export function startPromotionOdds(): PromotionOdds {
  return { days: new Float64Array(SPANS.length * STATES), episodeDays: new Float64Array(SPANS.length * STATES) };
}

/** `flags` of the known days; undefined when there are too few to detect episodes, or too many. */
export function findEpisodes(flags: Uint8Array): PromotionEpisodes | undefined {
  const isWithin = new Uint8Array(flags.length);
  const states = new Uint8Array(flags.length + 1);
  let [first, last] = [-1, -1];
  let episodeDays = 0;
  for (let i = 0; i <= flags.length; i += 1) {
    const over = i - 1 - last;
    if (last < 0) states[i] = NEVER_YET;
    else states[i] = over === 0 ? bucketOf(i - first, ON_DAYS) : ON_DAYS.length + bucketOf(over, OVER_DAYS);
    if (i === flags.length || !flags[i]) continue;
    if (last < 0 || over > MOST_GAP_DAYS) first = i;
    else isWithin.fill(1, last + 1, i);
    episodeDays += last < 0 || over > MOST_GAP_DAYS ? 1 : over + 1;
    isWithin[i] = 1;
    last = i;
  }
  const isUpdated = episodeDays >= LEAST_EPISODE_DAYS && episodeDays <= MOST_EPISODE_SHARE * flags.length;
  return isUpdated ? { isWithin, states } : undefined;
}

export function learnOdds({ days, episodeDays }: PromotionOdds, { isWithin, states }: PromotionEpisodes): void {
  const passed = new Float64Array(isWithin.length + 1);
  for (let i = 0; i < isWithin.length; i += 1) passed[i + 1] = (passed[i] as number) + (isWithin[i] as number);
  for (const [span, { from, to }] of SPANS.entries()) {
    const length = Math.min(to - from, LAST_SPAN_DAYS);
    for (let i = 0; i + from < isWithin.length; i += 1) {
      const end = Math.min(isWithin.length, i + from + length);
      const at = span * STATES + (states[i] as number);
      (days[at] as number) += end - i - from;
      (episodeDays[at] as number) += (passed[end] as number) - (passed[i + from] as number);
    }
  }
}

/**
 * Weighs the days of episodes by how likely a day of this span is to be in one, and the others by the rest. What the weights
 * said before has half a say: likeness has seen the burst, too.
 */
export function weighEpisodes(
  weights: Float64Array,
  { isWithin, states }: PromotionEpisodes,
  odds: PromotionOdds,
  span: number,
  weighed: Float64Array,
): void {
  let own = 0;
  for (let i = 0; i < weights.length; i += 1) if (isWithin[i]) own += weights[i] as number;
  const said = within(own);
  const at = span * STATES + (states[weights.length] as number);
  const shop = within(
    ((odds.episodeDays[at] as number) + PRIOR_DAYS * said) / ((odds.days[at] as number) + PRIOR_DAYS),
  );
  const chance = 1 / (1 + Math.exp(-(TRUST_IN_SHOP * logOdds(shop) + (1 - TRUST_IN_SHOP) * logOdds(said))));
  let sum = 0;
  for (let i = 0; i < weights.length; i += 1) {
    weighed[i] = (weights[i] as number) * (isWithin[i] ? chance / said : (1 - chance) / (1 - said));
    sum += weighed[i] as number;
  }
  for (let i = 0; i < weights.length; i += 1) (weighed[i] as number) /= sum;
}

function bucketOf(days: number, borders: readonly number[]): number {
  let bucket = 0;
  while (days > (borders[bucket] as number)) bucket += 1;
  return bucket;
}

/** Nothing is certain. */
function within(chance: number): number {
  return Math.min(0.98, Math.max(0.005, chance));
}

function logOdds(chance: number): number {
  return Math.log(chance / (1 - chance));
}
