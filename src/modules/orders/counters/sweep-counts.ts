import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { type CountRow, deleteCounts, findNextCounted, lockEmptyCounts } from '../sql/sweep-counts.ts';

/** At most 16 rows each: a writer that needs one of them waits for some milliseconds. */
const COMBINATIONS_PER_TRANSACTION = 50;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes counts whose slots add up to 0: statuses are free text, and a status that no order has any more would be summed for
 * ever. Safe next to writers: rows that add up to 0 change no sum, and a writer that waited for a deleted row inserts its
 * own. Returns the number of deleted rows.
 */
export async function sweepCounts(sql: Sql, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  let tenant = await findNextCounted(sql, LOWEST_ID);
  while (tenant !== undefined) {
    signal?.throwIfAborted();
    const swept = await sweepSome(sql, tenant);
    removed += swept;
    if (swept === 0) tenant = await findNextCounted(sql, tenant);
  }
  return removed;
}

function sweepSome(sql: Sql, organizationId: string): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const locked = await lockEmptyCounts(tx, organizationId, COMBINATIONS_PER_TRANSACTION);
    const combinations = Map.groupBy(locked, combinationOf).values();
    const empty = [...combinations].filter((rows) => sum(rows) === 0).flat();
    if (empty.length > 0) await deleteCounts(tx, organizationId, empty);
    return empty.length;
  });
}

function combinationOf({ slot, total, ...combination }: CountRow): string {
  return JSON.stringify(combination);
}

function sum(rows: CountRow[]): number {
  return rows.reduce((total, row) => total + row.total, 0);
}
