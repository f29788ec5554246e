import { foldForSearch } from '../../platform/text/folding.ts';

export type BranchPlaces = {
  /** The search stands inside the iv_ids of these branches: all their SKUs are found. */
  insideBranches: string[];
  /** How the product's iv_id has to end, and for which branches: what follows is how theirs begin. */
  across: Map<string, string[]>;
};

/**
 * Where a folded search can stand in the iv_id of an SKU so that it touches the branch's half: inside that half, or
 * across the underscore between the two, which may be any underscore of the search.
 */
export function splitSearch(folded: string, branches: readonly { id: string; iv_id: string }[]): BranchPlaces {
  const places: BranchPlaces = { insideBranches: [], across: new Map() };
  for (const { id, iv_id } of branches) {
    const ivId = foldForSearch(iv_id);
    if (ivId.includes(folded)) {
      places.insideBranches.push(id);
      continue;
    }
    for (let cut = folded.indexOf('_'); cut !== -1; cut = folded.indexOf('_', cut + 1)) {
      if (!ivId.startsWith(folded.slice(cut + 1))) continue;
      const productEnd = folded.slice(0, cut);
      // An empty end fits every product, so the whole branch is found.
      if (productEnd === '') places.insideBranches.push(id);
      else places.across.set(productEnd, [...(places.across.get(productEnd) ?? []), id]);
    }
  }
  return places;
}
