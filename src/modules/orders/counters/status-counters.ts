import { hash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { type CountedCombination, listCombinations } from '../sql/counts.ts';

/**
 * Combinations of words that are counted by themselves, for each tenant. A shop with ten channels comes to some two
 * hundred; what is past the bound is one that writes a text of its own into every order.
 */
const MAX_COMBINATIONS = 500;
/** In all tenants together, some 15 MB of memory at most. */
const MAX_REMEMBERED = 200_000;
/** A tenant at its bound asks again whether there is room no more often than this. */
const REREAD_AFTER_MS = 1_000;

/**
 * Decides which orders are counted apart. Where an order was counted is kept with it (`rare_orders`), so any decision is
 * right: two processes may disagree for a moment and pass the bound by a few, and every total is still exact.
 */
export type StatusCounters = {
  /** The ids of those whose words are not counted by themselves. Reads seldom, through the connection it is given. */
  findOverflow(sql: Queryable, orders: readonly Order[]): Promise<Set<string>>;
};

type Known = { readAtMs: number; combinations: Set<string> };

export function createStatusCounters(clock: Pick<Clock, 'now'>): StatusCounters {
  // In the order of their last use.
  const tenants = new Map<string, Known>();
  let remembered = 0;

  async function read(sql: Queryable, organizationId: string): Promise<Known> {
    const readAtMs = clock.now().getTime();
    const rows = await listCombinations(sql, organizationId, MAX_COMBINATIONS);
    forget(organizationId);
    const known: Known = { readAtMs, combinations: new Set(rows.map(keyOf)) };
    tenants.set(organizationId, known);
    remembered += known.combinations.size;
    for (const oldest of tenants.keys()) {
      if (remembered <= MAX_REMEMBERED) break;
      if (oldest !== organizationId) forget(oldest);
    }
    return known;
  }

  function forget(organizationId: string): void {
    remembered -= tenants.get(organizationId)?.combinations.size ?? 0;
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
    if (tenants.get(organizationId) === known) remembered += 1;
    return false;
  }

  return {
    async findOverflow(sql, orders) {
      const rare = new Set<string>();
      for (const order of orders) if (await isOverflow(sql, order)) rare.add(order.id);
      return rare;
    },
  };
}

/** Short, since a word may have 255 characters. Two that share one are counted by themselves once more than need be. */
function keyOf(words: CountedCombination): string {
  const { order_status, payment_status, fulfillment_status, source, currency } = words;
  const text = JSON.stringify([order_status, payment_status, fulfillment_status, source, currency]);
  return hash('sha1', text, 'base64').slice(0, 11);
}
