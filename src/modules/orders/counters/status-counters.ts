import { hash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { listCombinations, type StatusCombination } from '../sql/counts.ts';

/**
 * Status combinations with counters of their own, per tenant. A shop with ten channels has about two hundred; a tenant exceeds
 * the limit only when it writes a different text into every order.
 */
const MAX_COMBINATIONS = 500;
/** For all tenants together: at most 15 MB of memory. */
const MAX_CACHED = 200_000;
/** How often the combinations of a tenant at its limit are read again. */
const REREAD_AFTER_MS = 1_000;

/**
 * Decides which orders are counted in the overflow row. Where an order was counted is stored (`rare_orders`), so every decision is
 * correct: two processes may disagree for a moment and exceed the limit by a few, and every total is still exact.
 */
export type StatusCounters = {
  /** The ids of the orders that are counted in the overflow row. Rarely reads the database, and then through the given connection. */
  findOverflow(sql: Queryable, orders: readonly Order[]): Promise<Set<string>>;
};

type Known = { readAtMs: number; combinations: Set<string> };

export function createStatusCounters(clock: Pick<Clock, 'now'>): StatusCounters {
  // Ordered by last use.
  const tenants = new Map<string, Known>();
  let cached = 0;

  async function read(sql: Queryable, organizationId: string): Promise<Known> {
    const readAtMs = clock.now().getTime();
    const rows = await listCombinations(sql, organizationId, MAX_COMBINATIONS);
    forget(organizationId);
    const known: Known = { readAtMs, combinations: new Set(rows.map(keyOf)) };
    tenants.set(organizationId, known);
    cached += known.combinations.size;
    for (const oldest of tenants.keys()) {
      if (cached <= MAX_CACHED) break;
      if (oldest !== organizationId) forget(oldest);
    }
    return known;
  }

  function forget(organizationId: string): void {
    cached -= tenants.get(organizationId)?.combinations.size ?? 0;
    tenants.delete(organizationId);
  }

  function touch(organizationId: string): Known | undefined {
    const known = tenants.get(organizationId);
    if (known === undefined) return undefined;
    tenants.delete(organizationId);
    tenants.set(organizationId, known);
    return known;
  }

  async function isOverflow(sql: Queryable, order: Order): Promise<boolean> {
    const { organization_id: organizationId } = order;
    const key = keyOf(order);
    const before = touch(organizationId);
    if (before?.combinations.has(key)) return false;
    const isStale = before === undefined || clock.now().getTime() - before.readAtMs >= REREAD_AFTER_MS;
    const known = isStale ? await read(sql, organizationId) : before;
    if (known.combinations.has(key)) return false;
    if (known.combinations.size >= MAX_COMBINATIONS) return true;
    known.combinations.add(key);
    if (tenants.get(organizationId) === known) cached += 1;
    return false;
  }

  return {
    async findOverflow(sql, orders) {
      const overflow = new Set<string>();
      for (const order of orders) if (await isOverflow(sql, order)) overflow.add(order.id);
      return overflow;
    },
  };
}

/** Nearly every order has one of a few combinations. */
const MAX_HASHED = 1_000;
const hashed = new Map<string, string>();

/** Hashed, because a status may have 255 characters. Two combinations that share a key only exceed the limit by one. */
function keyOf(combination: StatusCombination): string {
  const { order_status, payment_status, fulfillment_status, source, currency } = combination;
  const text = `${order_status}\n${payment_status}\n${fulfillment_status}\n${source}\n${currency}`;
  const known = hashed.get(text);
  if (known !== undefined) return known;
  const key = hash('sha1', text, 'base64').slice(0, 11);
  if (hashed.size >= MAX_HASHED) hashed.clear();
  hashed.set(text, key);
  return key;
}
