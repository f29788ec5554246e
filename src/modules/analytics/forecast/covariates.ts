import type { DemandHistory, PooledProfile } from './types.ts';

/** Promoted days of other SKUs that a SKU's own have to outweigh. */
const POOLED_PROMOTION_DAYS = 5;
const MOST_PROMOTION_UPLIFT = 10;
/** Price changes that would have to be seen for a price to be believed by half. */
const PRICE_DOUBT = 0.5;
const STRONGEST_ELASTICITY = -4;
const MOST_PRICE_FACTOR = 4;

export type Covariates = { names: string[]; pastFactor(day: number): number; futureFactor(day: number): number };

const NONE: Covariates = { names: [], pastFactor: () => 1, futureFactor: () => 1 };

/** What promotions and prices did to demand, and will do on days for which they are known. Where the future is not known nothing is taken out of the past. */
export function fitCovariates(
  history: DemandHistory,
  startsAt: number,
  quantities: Float64Array,
  pooled: PooledProfile | undefined,
): Covariates {
  const promotion = fitPromotion(history, startsAt, quantities, pooled);
  const price = fitPrice(history, startsAt, quantities);
  if (promotion === undefined) return price ?? NONE;
  if (price === undefined) return promotion;
  return {
    names: [...promotion.names, ...price.names],
    pastFactor: (day) => promotion.pastFactor(day) * price.pastFactor(day),
    futureFactor: (day) => promotion.futureFactor(day) * price.futureFactor(day),
  };
}

function fitPromotion(
  { promotions, futurePromotions }: DemandHistory,
  startsAt: number,
  quantities: Float64Array,
  pooled: PooledProfile | undefined,
): Covariates | undefined {
  if (promotions === undefined || futurePromotions === undefined) return undefined;
  const [sums, days] = [
    [0, 0],
    [0, 0],
  ];
  for (let i = 0; i < quantities.length; i += 1) {
    const quantity = quantities[i] as number;
    if (!(quantity >= 0)) continue;
    const promoted = promotions[startsAt + i] ? 1 : 0;
    (sums[promoted] as number) += quantity;
    (days[promoted] as number) += 1;
  }
  const [plainDays, promotedDays] = days as [number, number];
  const total = (sums[0] as number) + (sums[1] as number);
  if (plainDays + promotedDays === 0 || total === 0) return undefined;
  // A SKU that is always promoted has no plain days to compare with: the shop's mean stands in for a few of them.
  const usual = total / (plainDays + promotedDays);
  const plain = ((sums[0] as number) + usual) / (plainDays + 1);
  const expected = (pooled?.promotionUplift ?? 1) * plain * POOLED_PROMOTION_DAYS;
  const uplift = ((sums[1] as number) + expected) / ((promotedDays + POOLED_PROMOTION_DAYS) * plain);
  const factor = Math.min(MOST_PROMOTION_UPLIFT, Math.max(1, uplift));
  return {
    names: ['promotion'],
    pastFactor: (day) => (promotions[startsAt + day] ? factor : 1),
    futureFactor: (day) => (futurePromotions[day] ? factor : 1),
  };
}

/** One elasticity over the days with a price: log of demand against log of the price, drawn towards none. */
function fitPrice(
  { unitPrices, futurePrices }: DemandHistory,
  startsAt: number,
  quantities: Float64Array,
): Covariates | undefined {
  if (unitPrices === undefined || futurePrices === undefined) return undefined;
  const isPrice = (price: number | undefined): price is number => price !== undefined && price > 0 && price < 1e15;
  let [days, priceSum, demandSum] = [0, 0, 0];
  for (let i = 0; i < quantities.length; i += 1) {
    const [price, quantity] = [unitPrices[startsAt + i], quantities[i] as number];
    if (!isPrice(price) || !(quantity >= 0)) continue;
    days += 1;
    priceSum += Math.log(price);
    demandSum += quantity;
  }
  if (days === 0 || demandSum === 0) return undefined;
  const [usualLogPrice, usual] = [priceSum / days, demandSum / days];
  let [together, prices] = [0, 0];
  for (let i = 0; i < quantities.length; i += 1) {
    const [price, quantity] = [unitPrices[startsAt + i], quantities[i] as number];
    if (!isPrice(price) || !(quantity >= 0)) continue;
    const change = Math.log(price) - usualLogPrice;
    together += change * (quantity / usual - 1);
    prices += change * change;
  }
  const elasticity = Math.min(0, Math.max(STRONGEST_ELASTICITY, together / (prices + PRICE_DOUBT)));
  if (elasticity === 0) return undefined;
  const factorOf = (price: number | undefined) => {
    if (!isPrice(price)) return 1;
    const factor = Math.exp(elasticity * (Math.log(price) - usualLogPrice));
    return Math.min(MOST_PRICE_FACTOR, Math.max(1 / MOST_PRICE_FACTOR, factor));
  };
  return {
    names: ['price'],
    pastFactor: (day) => factorOf(unitPrices[startsAt + day]),
    futureFactor: (day) => factorOf(futurePrices[day]),
  };
}
