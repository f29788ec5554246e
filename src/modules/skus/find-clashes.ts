import type { Tx } from '../../platform/database/index.ts';
import { type Clash, findOverlaps, refuseBranches, refuseProducts, rivalsOf } from './overlaps.ts';
import { listBranchIvIds, listProductIvIdsAmong, listProductsEndingIn, lockClashes } from './sql/matrix.ts';

/**
 * Which of these new products would have an SKU iv_id that another pair has, and which one. Needs the matrix lock, before the
 * products are inserted.
 */
export async function findProductClashes(
  tx: Tx,
  organizationId: string,
  productIvIds: readonly string[],
): Promise<Clash[]> {
  const overlaps = findOverlaps(await listBranchIvIds(tx, organizationId));
  if (overlaps.length === 0) return [];
  await lockClashes(tx, organizationId);
  const rivals = new Set(productIvIds.flatMap((ivId) => rivalsOf(ivId, overlaps)));
  const existing = await listProductIvIdsAmong(tx, organizationId, [...rivals]);
  return refuseProducts(productIvIds, overlaps, new Set(existing));
}

/** The same for new branches. */
export async function findBranchClashes(
  tx: Tx,
  organizationId: string,
  branchIvIds: readonly string[],
): Promise<Clash[]> {
  const existing = await listBranchIvIds(tx, organizationId);
  const added = new Set(branchIvIds);
  const middles = findOverlaps([...existing, ...branchIvIds])
    .filter(({ longer, shorter }) => added.has(longer) || added.has(shorter))
    .map(({ middle }) => middle);
  if (middles.length === 0) return [];
  const products = await listProductsEndingIn(tx, organizationId, [...new Set(middles)]);
  return refuseBranches([...added], existing, new Map(products.map((row) => [row.middle, row.iv_id])));
}
