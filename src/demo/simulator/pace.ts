import type { OrderStage } from '../../modules/orders/index.ts';
import type { Family } from '../order-course.ts';
import type { Random } from '../random.ts';
import { hoursOf } from '../rhythm.ts';

const MIN_INTERVAL_MS = 20_000;
const MAX_INTERVAL_MS = 60_000;
const RIYADH_MS = 3 * 3_600_000;

/** Time to the next order: 20 s in the busiest hour, 60 s in the quietest, within 15 percent. */
export function nextIntervalMs(now: Date, random: Random): number {
  const hours = hoursOf(now);
  const demand = (hours[new Date(now.getTime() + RIYADH_MS).getUTCHours()] ?? 0) / Math.max(...hours);
  const usualMs = MAX_INTERVAL_MS - demand * (MAX_INTERVAL_MS - MIN_INTERVAL_MS);
  return Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, usualMs * (0.85 + 0.3 * random.next())));
}

const OPENS_AT_HOUR = 8;

/** The opening hours of most branches, until midnight. */
export const isDay = (now: Date) => new Date(now.getTime() + RIYADH_MS).getUTCHours() >= OPENS_AT_HOUR;

type Step = Omit<OrderStage, 'at'> & { afterMs: number };

const seconds = (min: number, max: number, random: Random) => (min + (max - min) * random.next()) * 1000;

/**
 * What becomes of a simulated order after it was received. An order is done within 15 minutes: at one order every 40 s,
 * orders that take days would leave thousands open.
 */
export function stepsAfter(family: Family, isCancelled: boolean, paidOnline: boolean, random: Random): Step[] {
  const step = (afterMs: number, order_status: string, payment_status: string, fulfillment_status: string): Step => ({
    afterMs,
    order_status,
    payment_status,
    fulfillment_status,
  });
  const atFirst = paidOnline ? 'paid' : 'pending';
  if (family === 'pos') return [step(seconds(45, 120, random), 'DELIVERED', 'paid', 'Full')];
  if (isCancelled) return [step(seconds(60, 240, random), 'CANCELLED', paidOnline ? 'refunded' : 'cancelled', 'None')];
  return [
    step(seconds(60, 200, random), 'READY_FOR_PICKUP', atFirst, 'None'),
    step(seconds(60, 200, random), 'DISPATCHED', atFirst, 'Partial'),
    step(seconds(120, 420, random), 'DELIVERED', 'paid', 'Full'),
  ];
}
