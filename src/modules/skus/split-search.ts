import { foldForSearch } from '../../platform/text/folding.ts';

/** SKUs of this branch whose product iv_id ends like this. */
export type BranchTail = { branchId: string; productEnd: string };

/**
 * Where a search can be found in a SKU's iv_id so that it touches the branch's half: inside that half, whatever the
 * product; or across the underscore between the two, which may be any underscore of the search.
 */
export function splitSearch(folded: string, branches: readonly { id: string; iv_id: string }[]): BranchTail[] {
  const tails: BranchTail[] = [];
  for (const branch of branches) {
    const ivId = foldForSearch(branch.iv_id);
    if (ivId.includes(folded)) {
      tails.push({ branchId: branch.id, productEnd: '' });
      continue;
    }
    for (let cut = folded.indexOf('_'); cut !== -1; cut = folded.indexOf('_', cut + 1)) {
      if (ivId.startsWith(folded.slice(cut + 1))) {
        tails.push({ branchId: branch.id, productEnd: folded.slice(0, cut) });
      }
    }
  }
  return tails;
}
