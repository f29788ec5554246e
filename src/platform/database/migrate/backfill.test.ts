import { beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase, type TestDatabase } from '../../../../test/harness/index.ts';
import { inTransaction } from '../transaction.ts';
import { migrate } from './migrate.ts';
import { MigrationInterrupted } from './migration-error.ts';
import type { MigrationProgress } from './progress.ts';
import { COUNTERS, migrationFolder, TOUCH_ALL } from './testing/migration-folder.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
});

const touched = () =>
  database.sql<{ touched: number; rows: number }[]>`
    select touched, count(*)::int as rows from counters group by touched order by touched`;
const stored = () =>
  database.sql<{ state: { counters: { done: number } } }[]>`select state from schema_migration_progress`;

/** Batches end at (0, 30), (0, 60), (0, 90), (1, 19), ...: the one with this row waits until it is released. */
async function lockRow(shop: number, id: number): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const held = inTransaction(database.sql, async (tx) => {
    await tx`select 1 from counters where shop = ${shop} and id = ${id} for update`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  return async () => {
    release.resolve();
    await held;
  };
}

describe('a migration in TypeScript', () => {
  it('passes over every row once, reports its progress and forgets its position at the end', async () => {
    const seen: MigrationProgress[] = [];
    const set = await migrationFolder({ ...COUNTERS, ...TOUCH_ALL });
    const applied = await migrate(database.sql, set, { onProgress: (progress) => seen.push(progress) });
    expect(applied).toEqual(['0001_counters.sql', '0002_touch.ts']);
    expect(await touched()).toEqual([{ touched: 1, rows: 100 }]);
    expect(await stored()).toEqual([]);
    expect(seen.at(-1)).toMatchObject({ state: 'applied', name: '0002_touch.ts', number: 2, count: 2, done: 100 });
    expect(seen.at(-1)?.total).toBeGreaterThanOrEqual(100);
    expect(await migrate(database.sql, set)).toEqual([]);
  });

  it('stops between two batches on its signal, and the next run goes on from there', async () => {
    await migrate(database.sql, await migrationFolder(COUNTERS));
    const set = await migrationFolder({ ...COUNTERS, ...TOUCH_ALL });
    const release = await lockRow(1, 1);
    const interrupt = new AbortController();
    const interrupted = expect(migrate(database.sql, set, { signal: interrupt.signal })).rejects.toThrow(
      MigrationInterrupted,
    );
    await expect.poll(async () => (await stored())[0]?.state.counters.done).toBe(30);
    interrupt.abort();
    await release();
    await interrupted;
    expect((await touched()).length).toBe(2);
    expect(await migrate(database.sql, set)).toEqual(['0002_touch.ts']);
    expect(await touched()).toEqual([{ touched: 1, rows: 100 }]);
  });

  it('names the range of rows of a batch that fails, and keeps the batches before it', async () => {
    await migrate(database.sql, await migrationFolder(COUNTERS));
    await database.sql`alter table counters add constraint only_few check (shop <> 1 or touched = 0)`;
    const set = await migrationFolder({ ...COUNTERS, ...TOUCH_ALL });
    await expect(migrate(database.sql, set)).rejects.toThrow(
      /^Migration 0002_touch\.ts failed: counters by \(shop, id\), rows after \(0, 90\) to \(1, 19\): .* violates check constraint/,
    );
    expect((await stored())[0]?.state.counters).toMatchObject({ after: ['0', '90'], done: 30 });
    await database.sql`alter table counters drop constraint only_few`;
    expect(await migrate(database.sql, set)).toEqual(['0002_touch.ts']);
    expect(await touched()).toEqual([{ touched: 1, rows: 100 }]);
  });

  it('may make several passes and statements of its own', async () => {
    const set = await migrationFolder({
      ...COUNTERS,
      '0002_twice.ts': `export async function migrate({ sql, inBatches, inTransaction }) {
        await sql\`alter table counters add column if not exists twice int\`;
        const run = (tx, { where }) => tx\`update counters set touched = touched + 1 where \${where()}\`;
        await inBatches({ table: 'counters', key: ['shop', 'id'], run });
        await inBatches({ table: 'counters', key: ['shop', 'id'], step: 'again', run });
        await inTransaction((tx) => tx\`update counters set twice = touched * 2\`);
      }`,
    });
    expect(await migrate(database.sql, set)).toHaveLength(2);
    expect(await database.sql`select distinct touched, twice from counters`).toEqual([{ touched: 2, twice: 4 }]);
  });

  it('is refused when it exports no function', async () => {
    const set = await migrationFolder({ '0001_nothing.ts': 'export const name = 1;' });
    await expect(migrate(database.sql, set)).rejects.toThrow('does not export a function migrate');
  });

  it('is refused when it was changed after it was applied', async () => {
    await migrate(database.sql, await migrationFolder({ ...COUNTERS, ...TOUCH_ALL }));
    const changed = { '0002_touch.ts': `${TOUCH_ALL['0002_touch.ts']}\n` };
    await expect(migrate(database.sql, await migrationFolder({ ...COUNTERS, ...changed }))).rejects.toThrow(
      'Migration 0002_touch.ts was changed after it was applied',
    );
  });
});
