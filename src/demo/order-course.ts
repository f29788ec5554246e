import type { OrderStage } from '../modules/orders/index.ts';
import type { Random } from './random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type Family = 'delivery_app' | 'web_store' | 'marketplace' | 'pos' | 'erp' | 'till' | 'api';

type Pace = {
  /** From the order to ready, from there to dispatched, from there to delivered. */
  ready: [minMs: number, maxMs: number];
  dispatched: [minMs: number, maxMs: number];
  delivered: [minMs: number, maxMs: number];
  promisedMs: number;
  /** Probability. */
  cancelled: number;
};

const SAME_DAY: Pace = {
  ready: [20 * MINUTE_MS, 3 * HOUR_MS],
  dispatched: [15 * MINUTE_MS, 2 * HOUR_MS],
  delivered: [20 * MINUTE_MS, 3 * HOUR_MS],
  promisedMs: 10 * HOUR_MS,
  cancelled: 0.04,
};

const PACES: Record<Exclude<Family, 'pos' | 'till'>, Pace> = {
  delivery_app: {
    ready: [8 * MINUTE_MS, 20 * MINUTE_MS],
    dispatched: [4 * MINUTE_MS, 15 * MINUTE_MS],
    delivered: [10 * MINUTE_MS, 30 * MINUTE_MS],
    promisedMs: 70 * MINUTE_MS,
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
  erp: SAME_DAY,
  api: SAME_DAY,
};

const REFUNDED = 0.015;
/** Probability that an order takes much longer than usual. */
const DELAYED = 0.05;
const AWAITS_PAYMENT = 0.3;
const PAID_AFTER: [minMs: number, maxMs: number] = [5 * MINUTE_MS, 4 * HOUR_MS];

type Statuses = Omit<OrderStage, 'at'>;
export type Course = { stages: [OrderStage, ...OrderStage[]]; promisedFor: Date | null };

/** What the demo needs of an order whatever chance says. */
export type ForcedCourse = 'awaits_payment' | 'overdue' | undefined;

/** The statuses of an order up to now. */
export function courseOf(
  family: Exclude<Family, 'till'>,
  placedAt: Date,
  { paidOnline, forced }: { paidOnline: boolean; forced?: ForcedCourse },
  now: Date,
  random: Random,
): Course {
  const whole = family === 'pos' ? atTheCounter(placedAt) : onTheRoad(family, placedAt, paidOnline, forced, random);
  const [first, ...later] = whole.stages;
  return { ...whole, stages: [first, ...later.filter((stage) => stage.at <= now)] };
}

function atTheCounter(placedAt: Date): Course {
  const at = new Date(placedAt.getTime() + 90_000);
  return {
    stages: [
      { at: placedAt, ...statuses('RECEIVED', 'pending', 'None') },
      { at, ...statuses('DELIVERED', 'paid', 'Full') },
    ],
    promisedFor: null,
  };
}

function onTheRoad(
  family: keyof typeof PACES,
  placedAt: Date,
  paidOnline: boolean,
  forced: ForcedCourse,
  random: Random,
): Course {
  const pace = PACES[family];
  const paid = family === 'api' ? 'completed' : 'paid';
  const promisedFor = new Date(placedAt.getTime() + pace.promisedMs);
  // Only the shop's own page holds an order back until it is paid: vendors report theirs as received.
  const awaitsPayment = family === 'api' && paidOnline && random.chance(AWAITS_PAYMENT);
  const atFirst = paidOnline && !awaitsPayment ? paid : 'pending';
  const slowness = random.chance(DELAYED) ? 2.5 : 1;
  let atMs = placedAt.getTime();
  const after = ([minMs, maxMs]: [number, number], factor = slowness) => {
    atMs += factor * (minMs + random.next() * (maxMs - minMs));
    return new Date(atMs);
  };
  if (forced === 'awaits_payment') {
    return { stages: [{ at: placedAt, ...statuses('PENDING_PAYMENT', 'pending', 'None') }], promisedFor };
  }
  const stages: Course['stages'] = awaitsPayment
    ? [
        { at: placedAt, ...statuses('PENDING_PAYMENT', 'pending', 'None') },
        { at: after(PAID_AFTER, 1), ...statuses('RECEIVED', paid, 'None') },
      ]
    : [{ at: placedAt, ...statuses('RECEIVED', atFirst, 'None') }];
  const payment = awaitsPayment ? paid : atFirst;
  if (forced === undefined && random.chance(pace.cancelled)) {
    const moneyBack = paidOnline ? 'refunded' : 'cancelled';
    stages.push({ at: after(pace.ready), ...statuses('CANCELLED', moneyBack, 'None') });
    return { stages, promisedFor };
  }
  stages.push(
    { at: after(pace.ready), ...statuses('READY_FOR_PICKUP', payment, 'None') },
    { at: after(pace.dispatched), ...statuses('DISPATCHED', payment, 'Partial') },
  );
  if (forced === 'overdue') return { stages, promisedFor };
  stages.push({ at: after(pace.delivered), ...statuses('DELIVERED', paid, 'Full') });
  if (random.chance(REFUNDED)) {
    stages.push({ at: after([DAY_MS, 5 * DAY_MS]), ...statuses('DELIVERED', 'refunded', 'Full') });
  }
  return { stages, promisedFor };
}

function statuses(order_status: string, payment_status: string, fulfillment_status: string): Statuses {
  return { order_status, payment_status, fulfillment_status };
}
