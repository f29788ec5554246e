import type { Queryable } from '../../../platform/database/index.ts';

export type IdentityChanges = {
  epoch: number;
  /** One entry for each epoch past the one that was seen, as far as they are kept; null concerns everybody. */
  concerned: (string[] | null)[];
};

/** In one snapshot: who sees an epoch also sees its change, and those of all epochs before it. */
export async function readIdentityChanges(
  sql: Queryable,
  seenEpoch: number,
  maxChanges: number,
): Promise<IdentityChanges> {
  const rows = await sql<{ value: number; epoch: number | null; ids: string[] | null }[]>`
    select e.value, c.epoch, c.ids
    from identity_epoch e
    left join lateral (
      select epoch, ids::text[] as ids from identity_changes
      where epoch > ${seenEpoch} and epoch <= e.value order by epoch limit ${maxChanges}) c on true`;
  const concerned = rows.filter(({ epoch }) => epoch !== null).map(({ ids }) => ids);
  return { epoch: rows[0]?.value ?? 0, concerned };
}

/** A node that is so far behind forgets everything anyway. */
export async function dropOldChanges(sql: Queryable, kept: number): Promise<void> {
  await sql`delete from identity_changes where epoch < (select value from identity_epoch) - ${kept}::bigint`;
}
