import { type PastOrder, placeHistory } from '../../modules/orders/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { oneOf } from '../buyers.ts';
import { branchIndexOf, composeOrder, isPaidOnline } from '../compose-order.ts';
import { HISTORY_DAYS, tillSale } from '../generate-orders.ts';
import { courseOf } from '../order-course.ts';
import { TRADES } from '../orders.ts';
import { seededRandom } from '../random.ts';
import { pickWeighted, placementTimes } from '../rhythm.ts';
import { callService } from './call-service.ts';
import type { SimulatedShop } from './open-shop.ts';
import { orderNumberAt } from './place-next.ts';
import type { Simulation } from './simulation.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A shorter pause is not visible in a shop with an order every ten minutes. */
export const LONGEST_PAUSE_MS = 20 * MINUTE_MS;
/** A longer pause stays empty before these days: 3,000 orders take 2 s, and the first screen shows 30 days. */
export const FILLED_DAYS = 31;
/** Orders of the last day have events, as if the service had been running; webhooks get those, not the ones of a month. */
const EVENT_DAYS = 1;
/** The load grows by 30 % over its year, so its last days are above the average. */
const NOW_OVER_AVERAGE = 1.13;

/**
 * Orders of the time in which the service was not running, so that a start on a later day shows a shop that went on. Bounded, in
 * bulk, and the same for the same seed, day and pause.
 */
export async function fillGap({ app, platform }: Simulation, shop: SimulatedShop, seed: number): Promise<void> {
  const { sql, clock, log } = platform;
  const path = '/orders?limit=1&format=canonical';
  const { body } = await callService(app, { method: 'GET', path, token: shop.organization.member.token });
  const [last] = (body.orders ?? []) as { created_at: string }[];
  const now = clock.now();
  if (last === undefined || now.getTime() - Date.parse(last.created_at) < LONGEST_PAUSE_MS) return;
  const missed = ordersBetween(shop, new Date(last.created_at), now, seed);
  const eventsSince = new Date(now.getTime() - EVENT_DAYS * DAY_MS);
  const orders = await inTransaction(sql, (tx) => placeHistory(tx, shop.organization.id, missed, { eventsSince }));
  log.info({ orders, since: last.created_at }, 'the demo is filled up to now');
}

/** The orders of a shop between two times, at most of the last 31 days, oldest first. */
export function* ordersBetween(shop: SimulatedShop, after: Date, now: Date, seed: number): Generator<PastOrder> {
  const trade = TRADES[shop.index] ?? TRADES[0];
  if (trade === undefined) return;
  const day = Math.floor(now.getTime() / DAY_MS);
  const random = seededRandom((seed + shop.index * 1_000_003 + day) % 2 ** 31);
  const total = Math.round((trade.orders / HISTORY_DAYS) * NOW_OVER_AVERAGE * FILLED_DAYS);
  for (const at of placementTimes(trade.kind, total, FILLED_DAYS, now, random)) {
    const chance = seededRandom(orderNumberAt(at) % 2 ** 31);
    if (at <= after || at.getTime() > now.getTime() - MINUTE_MS) continue;
    yield orderAt(shop, at, now, chance);
  }
}

function orderAt(
  { channels, weights, trader, buyers }: SimulatedShop,
  placedAt: Date,
  now: Date,
  random: ReturnType<typeof seededRandom>,
): PastOrder {
  const channel = channels[pickWeighted(weights, random)];
  if (channel === undefined || channel.family === 'till') {
    return tillSale(trader, placedAt, () => oneOf(buyers, random), now, random);
  }
  const { family } = channel;
  const buyer = oneOf(buyers, random);
  const paidOnline = isPaidOnline(family, random);
  const { stages, promisedFor } = courseOf(family, placedAt, { paidOnline, forced: undefined }, now, random);
  const placed = { channel, number: orderNumberAt(placedAt), placedAt, buyer, paidOnline, promisedFor };
  return { order: composeOrder(trader, placed, branchIndexOf(family, buyer), random), stages };
}
