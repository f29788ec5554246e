import type { Queryable } from '../connect.ts';
import type { Migration } from './read-migrations.ts';

export async function createSchemaTables(sql: Queryable): Promise<void> {
  await sql`
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`;
  // How far a backfill has come. Its row is removed when the backfill is recorded as applied.
  await sql`
    create table if not exists schema_migration_progress (
      name text primary key,
      state jsonb not null,
      updated_at timestamptz not null default now()
    )`;
}

/** Checksums by name. */
export async function readApplied(sql: Queryable): Promise<Map<string, string>> {
  const [table] = await sql<{ present: boolean }[]>`select to_regclass('schema_migrations') is not null as present`;
  if (!table?.present) return new Map();
  const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations`;
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

export async function recordApplied(sql: Queryable, { name, checksum }: Migration): Promise<void> {
  await sql`
    with removed as (delete from schema_migration_progress where name = ${name})
    insert into schema_migrations (name, checksum) values (${name}, ${checksum})`;
}

export type StepState = { after: string[]; done: number; isComplete: boolean };

export async function readProgress(sql: Queryable, name: string): Promise<Record<string, StepState>> {
  const [row] = await sql<{ state: Record<string, StepState> }[]>`
    select state from schema_migration_progress where name = ${name}`;
  return row?.state ?? {};
}

export async function storeProgress(sql: Queryable, name: string, step: string, state: StepState): Promise<void> {
  const added = sql.json({ [step]: state });
  await sql`
    insert into schema_migration_progress (name, state) values (${name}, ${added})
    on conflict (name) do update set state = schema_migration_progress.state || excluded.state, updated_at = now()`;
}
