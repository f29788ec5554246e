import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, testOrganization } from '../../../test/harness/index.ts';
import { addToTotal, inTransaction, readTotal, type Sql } from './index.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await testDatabase());
});

describe('values', () => {
  it('come back as numbers, times as dates, in UTC', async () => {
    const [row] = await sql`
      select 12.50::numeric as money, 9007199254740991::bigint as many, '2026-11-15T11:00:00+03:00'::timestamptz as at,
             current_setting('TimeZone') as zone`;
    expect(row).toEqual({
      money: 12.5,
      many: Number.MAX_SAFE_INTEGER,
      at: new Date('2026-11-15T08:00:00Z'),
      zone: 'UTC',
    });
  });
});

describe('a transaction', () => {
  it('keeps nothing of work that throws', async () => {
    const work = inTransaction(sql, async (tx) => {
      await tx`insert into service_facts (name, value) values ('half done', 'yes')`;
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await sql`select 1 from service_facts where name = 'half done'`).toEqual([]);
  });

  it('gives back what the work gives', async () => {
    expect(await inTransaction(sql, async (tx) => (await tx`select 7 as seven`)[0]?.seven)).toBe(7);
  });
});

describe('list totals', () => {
  it('equal the changes, whatever their order, and each list and tenant has its own', async () => {
    const { id } = await testOrganization(sql);
    const other = await testOrganization(sql);
    let expected = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 8 }), async (changes) => {
        await Promise.all(changes.map((change) => inTransaction(sql, (tx) => addToTotal(tx, id, 'shoes', change))));
        for (const change of changes) expected += change;
        expect(await readTotal(sql, id, 'shoes')).toBe(expected);
      }),
      { numRuns: 20 },
    );
    expect(await readTotal(sql, id, 'hats')).toBe(0);
    expect(await readTotal(sql, other.id, 'shoes')).toBe(0);
  });

  it('go back with the transaction that moved them', async () => {
    const { id } = await testOrganization(sql);
    const work = inTransaction(sql, async (tx) => {
      await addToTotal(tx, id, 'shoes', 5);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await readTotal(sql, id, 'shoes')).toBe(0);
  });
});
