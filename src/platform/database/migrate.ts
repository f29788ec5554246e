import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { inTransaction, type Sql } from './connect.ts';

export class MigrationError extends Error {}

type Migration = { name: string; checksum: string; statements: string };

const OLDEST_SERVER_VERSION = 150_000;

/**
 * Applies what is missing, in order of file name, each file in one transaction. Starters that come at the same time
 * queue on an advisory lock and find the work done. An applied file whose text has changed since is refused: the
 * database would no longer be what the files say.
 */
export async function migrate(sql: Sql, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  if (server && server.version < OLDEST_SERVER_VERSION) {
    throw new MigrationError(`PostgreSQL 15 or newer is required, this server is ${server.version}`);
  }

  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(${ADVISORY_LOCKS.migrations})`;
    await connection`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`;
    const rows = await connection<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations`;
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseRewrittenHistory(migrations, applied);

    const pending = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of pending) await applyMigration(sql, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await connection`select pg_advisory_unlock(${ADVISORY_LOCKS.migrations})`.catch(() => undefined);
    connection.release();
  }
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

async function applyMigration(sql: Sql, migration: Migration): Promise<void> {
  try {
    await inTransaction(sql, async (tx) => {
      await tx.unsafe(migration.statements);
      await tx`insert into schema_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`;
    });
  } catch (error) {
    throw new MigrationError(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`);
  }
}
