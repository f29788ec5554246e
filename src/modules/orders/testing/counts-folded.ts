import { expect } from 'vitest';
import type { Sql } from '../../../platform/database/index.ts';
import { foldCounts } from '../counters/fold-counts.ts';

/** Resolves when every delta has been added to the counts, by this process or by the service. */
export async function countsFolded(sql: Sql): Promise<void> {
  await expect
    .poll(async () => {
      await foldCounts(sql);
      return (await sql`select 1 from order_count_deltas limit 1`).length;
    })
    .toBe(0);
}
