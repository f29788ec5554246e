import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testDatabase, testOrganization } from '../../../test/harness/index.ts';
import { readListState, recordChange, rememberTotals } from './list-changes.ts';
import { inTransaction } from './transaction.ts';

describe('recordChange', () => {
  it('keeps the total and counts every change, with many writers at once', async () => {
    const { sql } = await testDatabase();
    const { id } = await testOrganization(sql);
    expect(await readListState(sql, id, 'things')).toEqual({ total: 0, changes: 0 });
    const moves = [5, 0, -2, 7, 0, 1, -3, 4, 0, 2, 1, 1, -1, 10, 0, 3, 2, 0, 6, -4];
    await Promise.all(moves.map((move) => inTransaction(sql, (tx) => recordChange(tx, id, 'things', move))));
    const total = moves.reduce((sum, move) => sum + move, 0);
    expect(await readListState(sql, id, 'things')).toEqual({ total, changes: moves.length });
    expect(await readListState(sql, id, 'other')).toEqual({ total: 0, changes: 0 });
  });

  it('leaves nothing behind when the transaction is rolled back', async () => {
    const { sql } = await testDatabase();
    const { id } = await testOrganization(sql);
    const failing = inTransaction(sql, async (tx) => {
      await recordChange(tx, id, 'things', 3);
      throw new Error('changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');
    expect(await readListState(sql, id, 'things')).toEqual({ total: 0, changes: 0 });
  });
});

describe('rememberTotals', () => {
  it('answers only for the state of the list that was counted', () => {
    const totals = rememberTotals(10);
    totals.remember('search milk', 7, 40);
    expect(totals.find('search milk', 7)).toBe(40);
    expect(totals.find('search dates', 7)).toBeUndefined();
    expect(totals.find('search milk', 8)).toBeUndefined();
    expect(totals.find('search milk', 7)).toBeUndefined();
  });

  it('forgets the least recently used beyond its size, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(8)), { maxLength: 80 }), (steps) => {
        const totals = rememberTotals(4);
        let recent: number[] = [];
        for (const [write, key] of steps) {
          const known = recent.includes(key);
          if (write) totals.remember(String(key), 1, key);
          else expect(totals.find(String(key), 1)).toBe(known ? key : undefined);
          if (write || known) recent = [key, ...recent.filter((other) => other !== key)].slice(0, 4);
        }
      }),
    );
  });
});
