import type { Queryable } from '../../platform/database/index.ts';

export async function insertUnclaimed(sql: Queryable, keys: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into unclaimed_files (key, created)
    select key, ${now} from unnest(${[...keys]}::text[]) as key
    on conflict (key) do nothing`;
}

/** Returns how many rows went. */
export async function deleteUnclaimed(sql: Queryable, keys: readonly string[]): Promise<number> {
  const removed = await sql`delete from unclaimed_files where key = any(${[...keys]}::text[])`;
  return removed.count;
}

/**
 * Which of them nothing refers to. The lock is held for no longer than this statement: it only makes it wait for a claim
 * whose commit is still under way.
 */
export async function findUnclaimed(sql: Queryable, keys: readonly string[]): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from unclaimed_files where key = any(${[...keys]}::text[]) order by key for update`;
  return rows.map((row) => row.key);
}

export async function findUnclaimedSince(sql: Queryable, olderThan: Date, cap: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from unclaimed_files where created < ${olderThan} order by created limit ${cap}`;
  return rows.map((row) => row.key);
}
