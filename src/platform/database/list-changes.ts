import { LRUCache } from 'lru-cache';
import type { Queryable, Tx } from './connect.ts';

const SLOTS = 16;
let nextSlot = Math.floor(Math.random() * SLOTS);

const changesOf = (list: string) => `${list}.changes`;

/**
 * Notes in the writing transaction that a list changed, and by how many rows. Beside the total of the list it moves a
 * count of its changes, kept the same way: as long as that count stands still, nothing in the list is different.
 *
 * Both rows share a slot and are always taken in this order, so writers cannot wait for each other in a circle.
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
 * Totals of filtered lists. Each is kept with the count of changes that was read before it was counted, and holds for
 * readers who find that same count: a write in between makes it too new at worst, never too old, and the next reader
 * sees another count and counts again.
 */
export function rememberTotals(maxEntries: number): RememberedTotals {
  const known = new LRUCache<string, { changes: number; total: number }>({ max: maxEntries });
  return {
    find(filter, changes) {
      const entry = known.get(filter);
      return entry?.changes === changes ? entry.total : undefined;
    },
    remember(filter, changes, total) {
      known.set(filter, { changes, total });
    },
  };
}
