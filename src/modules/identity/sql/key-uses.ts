import type { Queryable } from '../../../platform/database/index.ts';

export type KeyUse = { organizationId: string; id: string; at: Date };

/** Keys that are gone by now are passed over. In the order of the keys, so that two nodes do not lock each other out. */
export async function saveKeyUses(sql: Queryable, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    insert into api_key_uses (organization_id, api_key_id, used_at)
    select k.organization_id, k.id, seen.used_at
    from unnest(${uses.map((use) => use.organizationId)}::uuid[], ${uses.map((use) => use.id)}::uuid[],
                ${uses.map((use) => use.at)}::timestamptz[]) as seen (organization_id, id, used_at)
    join api_keys k on k.organization_id = seen.organization_id and k.id = seen.id
    order by k.organization_id, k.id
    on conflict (organization_id, api_key_id) do update set used_at = excluded.used_at
    where api_key_uses.used_at < excluded.used_at`;
}
