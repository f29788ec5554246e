import type { Queryable } from '../../../platform/database/index.ts';

export type Sighting = { organizationId: string; userId: string; at: Date };

/**
 * One statement however many there are, in one order, so that two nodes never wait for each other. What another node has
 * written within the grain is left as it is, and members who have left meanwhile are skipped.
 */
export async function writeSightings(
  sql: Queryable,
  sightings: readonly Sighting[],
  grainSeconds: number,
): Promise<void> {
  await sql`
    insert into last_seen as known (organization_id, user_id, seen_at)
    select n.organization_id, n.user_id, n.seen_at
    from unnest(
      ${sightings.map((sighting) => sighting.organizationId)}::uuid[],
      ${sightings.map((sighting) => sighting.userId)}::uuid[],
      ${sightings.map((sighting) => sighting.at)}::timestamptz[]) as n (organization_id, user_id, seen_at)
    join memberships m on m.organization_id = n.organization_id and m.user_id = n.user_id
    order by n.organization_id, n.user_id
    on conflict (organization_id, user_id) do update set seen_at = excluded.seen_at
      where known.seen_at <= excluded.seen_at - make_interval(secs => ${grainSeconds})`;
}
