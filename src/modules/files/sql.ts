import type { Queryable, Tx } from '../../platform/database/index.ts';

export async function insertUnclaimed(sql: Queryable, keys: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into unclaimed_files (key, created)
    select key, ${now} from unnest(${[...keys]}::text[]) as key
    on conflict (key) do nothing`;
}

/** Returns how many rows went. */
export async function deleteUnclaimed(tx: Tx, keys: readonly string[]): Promise<number> {
  const removed = await tx`delete from unclaimed_files where key = any(${[...keys]}::text[])`;
  return removed.count;
}

/** Waits for whoever is just claiming one of them; a claimed one is then gone from the answer. */
export async function lockUnclaimed(tx: Tx, keys: readonly string[]): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    select key from unclaimed_files where key = any(${[...keys]}::text[]) order by key for update`;
  return rows.map((row) => row.key);
}

export async function lockUnclaimedSince(tx: Tx, olderThan: Date, cap: number): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    select key from unclaimed_files where created < ${olderThan} order by created limit ${cap} for update skip locked`;
  return rows.map((row) => row.key);
}
