import type { OrderStage } from '../modules/orders/index.ts';
import type { Random } from './random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type Family = 'delivery_app' | 'web_store' | 'marketplace' | 'pos' | 'api';

type Pace = {
  /** Minutes from the order to ready, dispatched, delivered. */
  ready: [minMs: number, maxMs: number];
  dispatched: [minMs: number, maxMs: number];
  delivered: [minMs: number, maxMs: number];
  promisedMs: number;
  cancelled: number;
};

const PACES: Record<Exclude<Family, 'pos'>, Pace> = {
  delivery_app: {
    ready: [8 * MINUTE_MS, 20 * MINUTE_MS],
    dispatched: [4 * MINUTE_MS, 15 * MINUTE_MS],
    delivered: [10 * MINUTE_MS, 30 * MINUTE_MS],
    promisedMs: 60 * MINUTE_MS,
    cancelled: 0.05,
  },
  web_store: {
    ready: [3 * HOUR_MS, 16 * HOUR_MS],
    dispatched: [2 * HOUR_MS, 12 * HOUR_MS],
    delivered: [10 * HOUR_MS, 40 * HOUR_MS],
    promisedMs: 3 * DAY_MS,
    cancelled: 0.035,
  },
  marketplace: {
    ready: [2 * HOUR_MS, 10 * HOUR_MS],
    dispatched: [2 * HOUR_MS, 8 * HOUR_MS],
    delivered: [8 * HOUR_MS, 30 * HOUR_MS],
    promisedMs: 2 * DAY_MS,
    cancelled: 0.03,
  },
  api: {
    ready: [20 * MINUTE_MS, 3 * HOUR_MS],
    dispatched: [15 * MINUTE_MS, 2 * HOUR_MS],
    delivered: [20 * MINUTE_MS, 3 * HOUR_MS],
    promisedMs: 8 * HOUR_MS,
    cancelled: 0.04,
  },
};

const REFUNDED = 0.015;
/** One in so many takes much longer than it should. */
const DELAYED = 0.06;

type Words = Omit<OrderStage, 'at'>;
export type Course = { stages: [OrderStage, ...OrderStage[]]; promisedFor: Date | null };

/** What becomes of an order, as far as it has come by now. */
export function courseOf(family: Family, placedAt: Date, paidOnline: boolean, now: Date, random: Random): Course {
  const whole = family === 'pos' ? atTheTill(placedAt) : onTheRoad(family, placedAt, paidOnline, random);
  const [first, ...later] = whole.stages;
  return { ...whole, stages: [first, ...later.filter((stage) => stage.at <= now)] };
}

function atTheTill(placedAt: Date): Course {
  const at = new Date(placedAt.getTime() + 90_000);
  return {
    stages: [
      { at: placedAt, ...words('RECEIVED', 'pending', 'None') },
      { at, ...words('DELIVERED', 'paid', 'Full') },
    ],
    promisedFor: null,
  };
}

function onTheRoad(family: Exclude<Family, 'pos'>, placedAt: Date, paidOnline: boolean, random: Random): Course {
  const pace = PACES[family];
  const paid = family === 'api' ? 'completed' : 'paid';
  const atFirst = paidOnline ? paid : 'pending';
  const slowness = random.chance(DELAYED) ? 2.5 : 1;
  let atMs = placedAt.getTime();
  const after = ([minMs, maxMs]: [number, number]) => {
    atMs += slowness * (minMs + random.next() * (maxMs - minMs));
    return new Date(atMs);
  };
  const promisedFor = new Date(placedAt.getTime() + pace.promisedMs);
  const received: OrderStage = { at: placedAt, ...words('RECEIVED', atFirst, 'None') };
  if (random.chance(pace.cancelled)) {
    const moneyBack = paidOnline ? 'refunded' : 'cancelled';
    return { stages: [received, { at: after(pace.ready), ...words('CANCELLED', moneyBack, 'None') }], promisedFor };
  }
  const stages: Course['stages'] = [
    received,
    { at: after(pace.ready), ...words('READY_FOR_PICKUP', atFirst, 'None') },
    { at: after(pace.dispatched), ...words('DISPATCHED', atFirst, 'Partial') },
    { at: after(pace.delivered), ...words('DELIVERED', paid, 'Full') },
  ];
  if (random.chance(REFUNDED)) {
    stages.push({ at: after([DAY_MS, 5 * DAY_MS]), ...words('DELIVERED', 'refunded', 'Full') });
  }
  return { stages, promisedFor };
}

function words(order_status: string, payment_status: string, fulfillment_status: string): Words {
  return { order_status, payment_status, fulfillment_status };
}
