import type { Sql } from '../../../platform/database/index.ts';

/** Changes without a position, and events that this follower, or any, has not read. */
export async function eventsBehind(sql: Sql, follower?: string): Promise<number> {
  const [outbox] = await sql<{ waiting: number }[]>`select count(*) as waiting from order_outbox`;
  const [followers] = await sql<{ behind: number }[]>`
    select coalesce(sum(e.last_position - coalesce(f.position, 0)), 0)::int as behind
    from event_positions e
    left join event_followers f
      on f.tenant_group = e.tenant_group ${follower === undefined ? sql`` : sql`and f.name = ${follower}`}`;
  return (outbox?.waiting ?? 0) + (followers?.behind ?? 0);
}
