import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSearch } from './split-search.ts';

const ivId = fc.string({ unit: fc.constantFrom('a', 'b', '_'), minLength: 1, maxLength: 5 });

describe('splitSearch', () => {
  it('finds what stands inside a branch, and what reaches across the underscore', () => {
    const branches = [
      { id: 'riyadh', iv_id: 'RUH-01' },
      { id: 'jeddah', iv_id: 'JED_01' },
    ];
    expect(splitSearch('ruh', branches)).toEqual({ insideBranches: ['riyadh'], across: new Map() });
    expect(splitSearch('_jed', branches)).toEqual({ insideBranches: ['jeddah'], across: new Map() });
    expect(splitSearch('500_jed_0', branches)).toEqual({ insideBranches: [], across: new Map([['500', ['jeddah']]]) });
    expect(splitSearch('panadol', branches)).toEqual({ insideBranches: [], across: new Map() });
  });

  it('finds a SKU exactly when its iv_id holds the search', () => {
    fc.assert(
      fc.property(ivId, ivId, ivId, (product, branch, search) => {
        const { insideBranches, across } = splitSearch(search, [{ id: 'branch', iv_id: branch }]);
        const isFound =
          product.includes(search) ||
          insideBranches.length > 0 ||
          [...across.keys()].some((end) => product.endsWith(end));
        expect(isFound).toBe(`${product}_${branch}`.includes(search));
      }),
      { numRuns: 5_000 },
    );
  });
});
