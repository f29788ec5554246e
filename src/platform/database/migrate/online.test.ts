import { beforeEach, describe, expect, it } from 'vitest';
import { connectPatiently } from '../../../../test/harness/connect-patiently.ts';
import { atEndOfFile } from '../../../../test/harness/end-of-file.ts';
import { emptyDatabase, type TestDatabase } from '../../../../test/harness/index.ts';
import { inTransaction } from '../transaction.ts';
import { migrate } from './migrate.ts';
import { MigrationInterrupted } from './migration-error.ts';
import { COUNTERS, migrationFolder } from './testing/migration-folder.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
});

const ONLINE = {
  '0002_online.sql': `-- online
-- An index, and a function whose body has a semicolon and a comment.
create index concurrently if not exists counters_touched on counters (touched);
-- statement
create or replace function half(n int) returns int language plpgsql as $$
begin
  -- Rounded down; always.
  return n / 2;
end $$;
-- statement: nothing but a comment
-- The end.
`,
};

const indexes = () => database.sql<{ name: string; valid: boolean }[]>`
  select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = 'counters'::regclass and not i.indisprimary`;

/** Keeps a transaction with a snapshot open, which `create index concurrently` waits for. */
async function holdSnapshot(): Promise<() => Promise<void>> {
  const open = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const held = inTransaction(database.sql, async (tx) => {
    await tx`update counters set touched = touched where id = 1`;
    open.resolve();
    await release.promise;
  });
  await open.promise;
  return async () => {
    release.resolve();
    await held;
  };
}

/** Resolves when the build has made its index, which is invalid until it has seen the end of every older transaction. */
const waitForInvalidIndex = () => expect.poll(indexes).toEqual([{ name: 'counters_touched', valid: false }]);

describe('an online migration', () => {
  it('runs each statement outside a transaction and is recorded at its end', async () => {
    const set = await migrationFolder({ ...COUNTERS, ...ONLINE });
    expect(await migrate(database.sql, set)).toEqual(['0001_counters.sql', '0002_online.sql']);
    expect(await indexes()).toEqual([{ name: 'counters_touched', valid: true }]);
    expect(await database.sql`select half(9) as half`).toEqual([{ half: 4 }]);
    expect(await migrate(database.sql, set)).toEqual([]);
  });

  it('keeps the statements before a failing one, and starts over in the next run', async () => {
    const broken = ONLINE['0002_online.sql'].replace('return n / 2', 'return nonsense(');
    const set = await migrationFolder({ ...COUNTERS, '0002_online.sql': broken });
    await expect(migrate(database.sql, set)).rejects.toThrow(
      /^Migration 0002_online\.sql failed: mismatched parentheses/,
    );
    expect(await indexes()).toEqual([{ name: 'counters_touched', valid: true }]);
    expect(await migrate(database.sql, await migrationFolder({ ...COUNTERS, ...ONLINE }))).toEqual(['0002_online.sql']);
  });

  it('drops the invalid index of a build that failed, and builds it again', async () => {
    const unique = {
      '0002_unique.sql': '-- online\ncreate unique index concurrently if not exists counters_id on counters (touched);',
    };
    const set = await migrationFolder({ ...COUNTERS, ...unique });
    await expect(migrate(database.sql, set)).rejects.toThrow(/could not create unique index/);
    expect(await indexes()).toEqual([{ name: 'counters_id', valid: false }]);
    await database.sql`update counters set touched = id`;
    expect(await migrate(database.sql, set)).toEqual(['0002_unique.sql']);
    expect(await indexes()).toEqual([{ name: 'counters_id', valid: true }]);
  });

  it('is cancelled by its signal, and leaves an invalid index that the next run replaces', async () => {
    await migrate(database.sql, await migrationFolder(COUNTERS));
    const set = await migrationFolder({ ...COUNTERS, ...ONLINE });
    const release = await holdSnapshot();
    const interrupt = new AbortController();
    const interrupted = expect(migrate(database.sql, set, { signal: interrupt.signal })).rejects.toThrow(
      MigrationInterrupted,
    );
    await waitForInvalidIndex();
    interrupt.abort();
    await interrupted;
    await release();
    expect(await indexes()).toEqual([{ name: 'counters_touched', valid: false }]);
    expect(await migrate(database.sql, set)).toEqual(['0002_online.sql']);
    expect(await indexes()).toEqual([{ name: 'counters_touched', valid: true }]);
  });

  it('does not wait for processes that wait for its lock', async () => {
    await migrate(database.sql, await migrationFolder(COUNTERS));
    const set = await migrationFolder({ ...COUNTERS, ...ONLINE });
    const release = await holdSnapshot();
    const waiting = new Set<number>();
    const starts = Array.from({ length: 4 }, (_, at) => {
      const sql = connectPatiently(database.url, 2);
      atEndOfFile(() => sql.end({ timeout: 1 }));
      return migrate(sql, set, { onProgress: ({ state }) => state === 'waiting' && waiting.add(at) });
    });
    await waitForInvalidIndex();
    await expect.poll(() => waiting.size).toBe(3);
    await release();
    expect((await Promise.all(starts)).flat()).toEqual(['0002_online.sql']);
    expect(await indexes()).toEqual([{ name: 'counters_touched', valid: true }]);
  });

  it('refuses an index build that cannot be repeated', async () => {
    const set = await migrationFolder({
      ...COUNTERS,
      '0002_online.sql': '-- online\ncreate index concurrently counters_touched on counters (touched);',
    });
    await expect(migrate(database.sql, set)).rejects.toThrow(/create index concurrently if not exists <name>/);
    expect(await indexes()).toEqual([]);
  });
});

describe('a migration in a transaction', () => {
  it('is cancelled by its signal and leaves nothing', async () => {
    const set = await migrationFolder({
      ...COUNTERS,
      '0002_slow.sql': 'update counters set touched = 1; select pg_sleep(600);',
    });
    const interrupt = new AbortController();
    const interrupted = expect(migrate(database.sql, set, { signal: interrupt.signal })).rejects.toThrow(
      'Interrupted in 0002_slow.sql; 1 migrations were applied before it',
    );
    const sleeping = () => database.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await expect.poll(sleeping).toHaveLength(1);
    interrupt.abort();
    await interrupted;
    expect(await database.sql`select sum(touched)::int as touched from counters`).toEqual([{ touched: 0 }]);
  });

  it('waits for a lock in short tries, between which writers go on', async () => {
    await migrate(database.sql, await migrationFolder(COUNTERS));
    const set = await migrationFolder({ ...COUNTERS, '0002_column.sql': 'alter table counters add column more int;' });
    const release = await holdSnapshot();
    const steps: (string | undefined)[] = [];
    const migrating = migrate(database.sql, set, { onProgress: ({ step }) => steps.push(step) });
    await expect.poll(() => steps).toContain('waiting for a lock, try 2');
    await database.sql`update counters set touched = touched where id = 2`;
    await release();
    expect(await migrating).toEqual(['0002_column.sql']);
  });
});
