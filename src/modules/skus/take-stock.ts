import type { Tx } from '../../platform/database/index.ts';
import { lockSkus, reduceStock } from './sql/skus.ts';

/** What became of it. Where anything is missing or short the caller rolls back: some of it may have been taken. */
export type Taken = {
  /** No longer there. */
  missing: string[];
  /** Fewer on the shelf than wanted. */
  short: { ivId: string; available: number }[];
};

/**
 * Takes goods off the shelf of one branch. The rows are locked in the order in which everyone locks them, so that cashiers
 * who sell the same goods in any order queue up instead of locking each other out. `wanted`: decimal text by iv_id.
 */
export async function takeStock(
  tx: Tx,
  { organizationId, branchId }: { organizationId: string; branchId: string },
  wanted: ReadonlyMap<string, string>,
  options: { allowNegative: boolean; now: Date },
): Promise<Taken> {
  const [found, taken] = await Promise.all([
    lockSkus(tx, { organizationId, onlyBranchId: branchId }, [...wanted.keys()]),
    reduceStock(tx, organizationId, wanted, options),
  ]);
  const missing = [...wanted.keys()].filter((ivId) => !found.has(ivId));
  if (missing.length > 0) return { missing, short: [] };
  const short = [...found].filter(([ivId]) => !taken.has(ivId));
  return { missing, short: short.map(([ivId, state]) => ({ ivId, available: state.current_qty })) };
}
