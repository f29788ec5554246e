/**
 * When two pairs spell one SKU iv_id (`a_b` + `c` and `a` + `b_c`), the text behind the shorter product is shared out:
 * the longer branch is `middle_shorter`, the longer product is `product_middle`. So without two branches of which one
 * ends in `_` and the other, no product can clash; with them, only products that end in `_` and the middle can.
 */
export type Overlap = { longer: string; shorter: string; middle: string };

export type Clash = { newIvId: string; skuIvId: string };

/** Every two of these branches of which one ends in an underscore and the other. */
export function findOverlaps(branchIvIds: Iterable<string>): Overlap[] {
  const all = new Set(branchIvIds);
  const overlaps: Overlap[] = [];
  for (const longer of all) {
    for (let cut = longer.indexOf('_'); cut !== -1; cut = longer.indexOf('_', cut + 1)) {
      const shorter = longer.slice(cut + 1);
      if (all.has(shorter)) overlaps.push({ longer, shorter, middle: longer.slice(0, cut) });
    }
  }
  return overlaps;
}

/** The product iv_ids with which this new one could clash. */
export function rivalsOf(productIvId: string, overlaps: readonly Overlap[]): string[] {
  return overlaps.flatMap(({ middle }) => {
    const longer = `${productIvId}_${middle}`;
    return productIvId.endsWith(`_${middle}`) ? [longer, productIvId.slice(0, -middle.length - 1)] : [longer];
  });
}

/**
 * Which of these new products cannot have their SKUs, given the products that are there. In order: of two new ones that
 * clash the first is taken, and a refused one does not block others.
 */
export function refuseProducts(
  newIvIds: readonly string[],
  overlaps: readonly Overlap[],
  existing: ReadonlySet<string>,
): Clash[] {
  const taken = new Set(existing);
  const clashes: Clash[] = [];
  for (const newIvId of newIvIds) {
    const skuIvId = findSpelledTwice(newIvId, overlaps, taken);
    if (skuIvId === undefined) taken.add(newIvId);
    else clashes.push({ newIvId, skuIvId });
  }
  return clashes;
}

function findSpelledTwice(ivId: string, overlaps: readonly Overlap[], taken: ReadonlySet<string>): string | undefined {
  for (const { longer, shorter, middle } of overlaps) {
    if (taken.has(`${ivId}_${middle}`)) return `${ivId}_${longer}`;
    if (ivId.endsWith(`_${middle}`) && taken.has(ivId.slice(0, -middle.length - 1))) return `${ivId}_${shorter}`;
  }
  return undefined;
}

/**
 * The same for new branches. `longerProducts` has, by middle, one product `x_middle` whose `x` is a product too;
 * a middle without any is harmless.
 */
export function refuseBranches(
  newIvIds: readonly string[],
  existing: readonly string[],
  longerProducts: ReadonlyMap<string, string>,
): Clash[] {
  const refused = new Map<string, string>();
  const overlaps = findOverlaps([...existing, ...newIvIds]);
  const position = new Map(newIvIds.map((ivId, index) => [ivId, index]));
  const laterOf = ({ longer, shorter }: Overlap) =>
    (position.get(longer) ?? -1) > (position.get(shorter) ?? -1)
      ? { later: longer, earlier: shorter }
      : { later: shorter, earlier: longer };
  // By the later branch, so that what was refused before is known when a branch is weighed against it.
  const inOrder = overlaps
    .map((overlap) => ({ overlap, ...laterOf(overlap) }))
    .filter(({ later }) => position.has(later))
    .sort((a, b) => (position.get(a.later) ?? 0) - (position.get(b.later) ?? 0));
  for (const { overlap, later, earlier } of inOrder) {
    const product = longerProducts.get(overlap.middle);
    if (product !== undefined && !refused.has(earlier) && !refused.has(later)) {
      refused.set(later, `${product}_${overlap.shorter}`);
    }
  }
  return [...refused].map(([newIvId, skuIvId]) => ({ newIvId, skuIvId }));
}
