import { LRUCache } from 'lru-cache';
import type { Queryable, Tx } from './connect.ts';

const SLOTS = 16;
let nextSlot = Math.floor(Math.random() * SLOTS);

const changesOf = (list: string) => `${list}.changes`;

/**
 * Records in the writing transaction that a list changed, and by how many rows. Besides the total it increments a counter of changes:
 * as long as that counter is the same, the list is the same.
 *
 * Both rows share a slot and are locked in this order, so writers cannot deadlock.
 */
export async function recordChange(tx: Tx, organizationId: string, list: string, change: number): Promise<void> {
  nextSlot = (nextSlot + 1) % SLOTS;
  await tx`
    insert into list_totals (organization_id, list, slot, total)
    values (${organizationId}, ${list}, ${nextSlot}, ${change}), (${organizationId}, ${changesOf(list)}, ${nextSlot}, 1)
    on conflict (organization_id, list, slot) do update set total = list_totals.total + excluded.total`;
}

export type ListState = { total: number; changes: number };

export async function readListState(sql: Queryable, organizationId: string, list: string): Promise<ListState> {
  const [row] = await sql<ListState[]>`
    select coalesce(sum(total) filter (where list = ${list}), 0) as total,
           coalesce(sum(total) filter (where list <> ${list}), 0) as changes
    from list_totals
    where organization_id = ${organizationId} and list in (${list}, ${changesOf(list)})`;
  return row ?? { total: 0, changes: 0 };
}

export type RememberedTotals = {
  find(filter: string, changes: number): number | undefined;
  remember(filter: string, changes: number, total: number): void;
};

/**
 * Cache for totals of filtered lists. Each entry is stored with the change counter read before counting, and is valid for readers of
 * the same counter value. A write in between makes it too new at worst, never too old: the next reader sees another counter value and
 * counts again.
 */
export function rememberTotals(maxEntries: number): RememberedTotals {
  const known = new LRUCache<string, { changes: number; total: number }>({ max: maxEntries });
  return {
    find(filter, changes) {
      const entry = known.get(filter);
      if (entry?.changes === changes) return entry.total;
      known.delete(filter);
      return undefined;
    },
    remember(filter, changes, total) {
      known.set(filter, { changes, total });
    },
  };
}
