import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOverlaps, refuseBranches, refuseProducts, rivalsOf } from './overlaps.ts';

const ivId = fc.string({ unit: fc.constantFrom('a', 'b', '_'), minLength: 1, maxLength: 5 });
const ivIds = fc.uniqueArray(ivId, { maxLength: 8 });

function spellings(products: readonly string[], branches: readonly string[]): string[] {
  return products.flatMap((product) => branches.map((branch) => `${product}_${branch}`));
}

const isFree = (products: readonly string[], branches: readonly string[]) => {
  const all = spellings(products, branches);
  return new Set(all).size === all.length;
};

/** One after the other, each weighed against everything that stands: slow and plainly right. */
function refusedOneByOne(added: readonly string[], fits: (taken: readonly string[]) => boolean): string[] {
  const taken: string[] = [];
  return added.filter((candidate) => {
    if (!fits([...taken, candidate])) return true;
    taken.push(candidate);
    return false;
  });
}

describe('findOverlaps', () => {
  it('finds branches of which one ends in an underscore and the other', () => {
    expect(findOverlaps(['c', 'b_c', 'a_b_c', 'x'])).toEqual([
      { longer: 'b_c', shorter: 'c', middle: 'b' },
      { longer: 'a_b_c', shorter: 'b_c', middle: 'a' },
      { longer: 'a_b_c', shorter: 'c', middle: 'a_b' },
    ]);
  });

  it('finds nothing in names with underscores that end differently', () => {
    expect(findOverlaps(['riyadh_1', 'riyadh_2', 'jeddah'])).toEqual([]);
  });
});

describe('refuseProducts', () => {
  it('names the SKU that two pairs would spell', () => {
    const overlaps = findOverlaps(['c', 'b_c']);
    expect(refuseProducts(['a_b'], overlaps, new Set(['a']))).toEqual([{ newIvId: 'a_b', skuIvId: 'a_b_c' }]);
    expect(refuseProducts(['a'], overlaps, new Set(['a_b']))).toEqual([{ newIvId: 'a', skuIvId: 'a_b_c' }]);
    expect(refuseProducts(['a_x'], overlaps, new Set(['a']))).toEqual([]);
  });

  it('refuses exactly those that cannot stand beside what was taken before them', () => {
    fc.assert(
      fc.property(ivIds, ivIds, ivIds, (branches, present, candidates) => {
        const existing = refusedOneByOne(present, (taken) => isFree(taken, branches));
        const standing = present.filter((product) => !existing.includes(product));
        const added = candidates.filter((product) => !present.includes(product));
        const overlaps = findOverlaps(branches);
        const clashes = refuseProducts(added, overlaps, new Set(standing));
        expect(clashes.map((clash) => clash.newIvId)).toEqual(
          refusedOneByOne(added, (taken) => isFree([...standing, ...taken], branches)),
        );
        for (const clash of clashes) {
          expect(spellings([clash.newIvId], branches)).toContain(clash.skuIvId);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('needs to know no other products than the rivals', () => {
    fc.assert(
      fc.property(ivIds, ivIds, ivId, (branches, products, added) => {
        const overlaps = findOverlaps(branches);
        const rivals = new Set(rivalsOf(added, overlaps));
        const known = products.filter((product) => rivals.has(product));
        expect(refuseProducts([added], overlaps, new Set(known))).toEqual(
          refuseProducts([added], overlaps, new Set(products)),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('refuseBranches', () => {
  it('refuses exactly those that cannot stand beside what was taken before them', () => {
    fc.assert(
      fc.property(ivIds, ivIds, ivIds, (products, present, candidates) => {
        const refusedBefore = refusedOneByOne(present, (taken) => isFree(products, taken));
        const standing = present.filter((branch) => !refusedBefore.includes(branch));
        const added = candidates.filter((branch) => !present.includes(branch));
        const clashes = refuseBranches(added, standing, longerProducts(products));
        const names = new Set(clashes.map((clash) => clash.newIvId));
        expect(added.filter((branch) => names.has(branch))).toEqual(
          refusedOneByOne(added, (taken) => isFree(products, [...standing, ...taken])),
        );
        for (const clash of clashes) expect(spellings(products, [...standing, ...added])).toContain(clash.skuIvId);
      }),
      { numRuns: 2_000 },
    );
  });
});

function longerProducts(products: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const longer of products) {
    for (const shorter of products) {
      if (longer.startsWith(`${shorter}_`)) found.set(longer.slice(shorter.length + 1), longer);
    }
  }
  return found;
}
