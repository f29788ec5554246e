import { schedulePrices } from '../modules/skus/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SeededGoods } from './catalog.ts';
import type { DemoPeople } from './people.ts';
import { GROCERY_BRANCHES, PHARMACY_BRANCHES } from './words/branches.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STARTS_IN_DAYS = 14;
const LASTS_DAYS = 7;
const PLANNED_HOURS_AGO = 3;

/** In the order of the demo's organizations. The reference's example of scheduled prices is in 2099 and overlaps none. */
const OFFERS = [
  { category: 'sun', percent: -15, branches: PHARMACY_BRANCHES },
  { category: 'coffee', percent: -10, branches: GROCERY_BRANCHES },
] as const;

/** A week of lower prices for one category of each shop, two weeks ahead. The year of orders has the usual prices. */
export async function seedOffers(tx: Tx, people: DemoPeople, goods: SeededGoods, now: Date): Promise<void> {
  for (const [index, { organizationId, products }] of goods.entries()) {
    const offer = OFFERS[index];
    const actor = people.actors[index]?.member;
    if (offer === undefined || actor === undefined) throw new Error('a demo shop has no offer');
    const named = products.filter(({ category }) => category === offer.category);
    const startsAt = startOfDay(now.getTime() + STARTS_IN_DAYS * DAY_MS);
    const schedule = {
      sku_iv_ids: named.flatMap(({ iv_id }) => offer.branches.map((branch) => `${iv_id}_${branch.iv_id}`)),
      percent: offer.percent,
      starts_at: new Date(startsAt).toISOString(),
      ends_at: new Date(startsAt + LASTS_DAYS * DAY_MS).toISOString(),
    };
    const plannedAt = new Date(now.getTime() - PLANNED_HOURS_AGO * HOUR_MS);
    await schedulePrices(tx, organizationId, schedule, actor, plannedAt);
  }
}

/** In Riyadh, which is three hours ahead of UTC all year. */
function startOfDay(ms: number): number {
  return Math.floor((ms + 3 * HOUR_MS) / DAY_MS) * DAY_MS - 3 * HOUR_MS;
}
