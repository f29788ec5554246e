import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Sql, Tx } from './connect.ts';
import { classifyDatabaseError } from './errors.ts';
import { inTransaction } from './transaction.ts';

export class MigrationError extends Error {}

type Migration = { name: string; checksum: string; statements: string };

/** `beforeApplying` runs under the migration lock, in the transaction of each migration; an error rolls it back. */
export type MigrateOptions = { beforeApplying?(tx: Tx): Promise<void> };

const OLDEST_SERVER_VERSION = 150_000;

/** The longest wait for a table lock: later statements on the table queue behind the waiting one. */
const LOCK_TIMEOUT = '5s';
const MAX_TRIES = 6;

/**
 * Applies pending migrations in order of file name, each file in one transaction. Processes that start at the same time queue on an
 * advisory lock and find the work done. An applied file whose text has changed since is refused: the database would no longer match
 * the files.
 */
export async function migrate(sql: Sql, folder: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  if (server && server.version < OLDEST_SERVER_VERSION) {
    throw new MigrationError(`PostgreSQL 15 or newer is required, this server is ${server.version}`);
  }
  const pending = await findPending(sql, migrations);
  const applied: string[] = [];
  for (const migration of pending) if (await applyMigration(sql, migration, options)) applied.push(migration.name);
  return applied;
}

function findPending(sql: Sql, migrations: Migration[]): Promise<Migration[]> {
  return inTransaction(sql, async (tx) => {
    await waitForOthers(tx);
    await tx`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`;
    const rows = await tx<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations`;
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseRewrittenHistory(migrations, applied);
    return migrations.filter((migration) => !applied.has(migration.name));
  });
}

/** Building an index on a large table has no time limit; only waiting for locks has. */
async function waitForOthers(tx: Tx): Promise<void> {
  await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '30min', true)`;
  await tx`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrations})`;
  await tx`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const statements = await readFile(path.join(folder, name), 'utf8');
      return { name, statements, checksum: createHash('sha256').update(statements).digest('hex') };
    }),
  );
}

function refuseRewrittenHistory(migrations: Migration[], applied: Map<string, string>): void {
  for (const [name, checksum] of applied) {
    const file = migrations.find((migration) => migration.name === name);
    if (file === undefined) {
      throw new MigrationError(`The database has migration ${name}, which this version does not know: it is newer`);
    }
    if (file.checksum !== checksum) throw new MigrationError(`Migration ${name} was changed after it was applied`);
  }
}

/** False when another process has applied it. */
async function applyMigration(sql: Sql, migration: Migration, { beforeApplying }: MigrateOptions): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await inTransaction(sql, async (tx) => {
        await waitForOthers(tx);
        const done = await tx`select 1 from schema_migrations where name = ${migration.name}`;
        if (done.length > 0) return false;
        await beforeApplying?.(tx);
        await tx.unsafe(migration.statements);
        await tx`insert into schema_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`;
        return true;
      });
    } catch (error) {
      if (error instanceof MigrationError) throw error;
      if (tried < MAX_TRIES && classifyDatabaseError(error).kind === 'busy') continue;
      throw new MigrationError(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`);
    }
  }
}
