import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { type CountRow, deleteCounts, findNextCounted, lockEmptyCounts } from '../sql/sweep-counts.ts';

/** Sixteen rows each at most: a writer that meets the sweep waits for some milliseconds. */
const COMBINATIONS_AT_ONCE = 50;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Takes out counts whose slots have come to nothing: words are free text, and one that no order carries any more would be
 * added up for ever. Safe beside writers: rows whose totals come to nothing leave every sum as it is, and a writer that
 * waited for one of them puts in its own. Returns how many rows went.
 */
export async function sweepCounts(sql: Sql, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  let tenant = await findNextCounted(sql, BEFORE_ALL);
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
    const locked = await lockEmptyCounts(tx, organizationId, COMBINATIONS_AT_ONCE);
    const combinations = Map.groupBy(locked, combinationOf).values();
    const empty = [...combinations].filter((rows) => sum(rows) === 0).flat();
    if (empty.length > 0) await deleteCounts(tx, organizationId, empty);
    return empty.length;
  });
}

function combinationOf({ slot, total, ...words }: CountRow): string {
  return JSON.stringify(words);
}

function sum(rows: CountRow[]): number {
  return rows.reduce((total, row) => total + row.total, 0);
}
