import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase, type TestDatabase } from '../../test/harness/index.ts';
import { type Run, run } from '../../test/start/service-process.ts';
import { inTransaction, migrate } from '../platform/database/index.ts';
import { COUNTERS, migrationFolder, TOUCH_ALL } from '../platform/database/migrate/testing/migration-folder.ts';

const PROGRAM = path.join(import.meta.dirname, 'testing/migrate-folder.ts');

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await emptyDatabase();
  await migrate(database.sql, await migrationFolder(COUNTERS));
  folder = await migrationFolder({
    ...COUNTERS,
    ...TOUCH_ALL,
    '0003_index.sql': '-- online\ncreate index concurrently if not exists counters_touched on counters (touched);',
  });
});

const start = (): Run => run([database.url, folder], {}, PROGRAM);
const touched = () =>
  database.sql<{ touched: number; rows: number }[]>`
    select touched, count(*)::int as rows from counters group by touched order by touched`;

/** Holds a row of the fourth batch: the backfill waits there until it is released. */
async function blockFourthBatch(): Promise<() => Promise<void>> {
  const blocked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const blocking = inTransaction(database.sql, async (tx) => {
    await tx`select 1 from counters where shop = 1 and id = 1 for update`;
    blocked.resolve();
    await release.promise;
  });
  await blocked.promise;
  return async () => {
    release.resolve();
    await blocking;
  };
}

const waitForThreeBatches = () =>
  expect
    .poll(async () => {
      const [row] = await database.sql<{ done: number }[]>`
        select (state->'counters'->'done')::int as done from schema_migration_progress`;
      return row?.done;
    })
    .toBe(30);

describe('dukkan migrate', () => {
  it('continues where a killed process stopped', async () => {
    const release = await blockFourthBatch();
    const killed = start();
    await waitForThreeBatches();
    killed.child.kill('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    await release();
    expect(await touched()).toEqual([
      { touched: 0, rows: 70 },
      { touched: 1, rows: 30 },
    ]);

    const { code, out, err } = await start().ended;
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Applied 2 migrations in [\d.]+ s\.\nThe database is up to date\.\n$/),
    ]);
    expect(err).toMatch(/^1\/2 0002_touch\.ts {2}[\d.]+ s {2}100 rows\n2\/2 0003_index\.sql {2}[\d.]+ s\n$/);
    expect(await touched()).toEqual([{ touched: 1, rows: 100 }]);
  });

  it('stops on SIGTERM after the batch, and says how to continue', async () => {
    const release = await blockFourthBatch();
    const stopped = start();
    await waitForThreeBatches();
    stopped.child.kill('SIGTERM');
    const { code, err } = await stopped.ended;
    await release();
    expect([code, err]).toEqual([
      1,
      'Interrupted in 0002_touch.ts; 0 migrations were applied before it. Run dukkan migrate again to continue\n',
    ]);
    expect((await start().ended).code).toBe(0);
    expect(await touched()).toEqual([{ touched: 1, rows: 100 }]);
  });

  it('runs in one of two processes that start at once; the other finds nothing to do', async () => {
    const outcomes = await Promise.all([start().ended, start().ended]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(outcomes.filter(({ out }) => out === 'The database is up to date.\n')).toHaveLength(1);
    expect(await touched()).toEqual([{ touched: 1, rows: 100 }]);
  });
});
