import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';
import type { StampedEvent } from './events.ts';
import { eventsOf } from './order-events.ts';

export type DeadLetteredEvent = {
  follower: string;
  tenant_group: string;
  position: number;
  organization_id: string;
  event_id: string;
  error: string;
  dead_lettered_at: Date;
  retry_asked: boolean;
};

/** Under the follower's lock. One that was asked for again and failed again is as before, with its new error. */
export async function deadLetterEvent(
  tx: Tx,
  follower: string,
  { position, organization_id, event_id }: Pick<StampedEvent, 'position' | 'organization_id' | 'event_id'>,
  error: string,
  now: Date,
): Promise<void> {
  await tx`
    insert into dead_letter_events (follower, tenant_group, position, organization_id, event_id, error, dead_lettered_at)
    values (${follower}, ${tx.layout.groupOf(organization_id)}, ${position}, ${organization_id}, ${event_id}, ${error}, ${now})
    on conflict (follower, tenant_group, position) do update set error = excluded.error, retry_asked = false`;
}

export function listDeadLettered(sql: Queryable, limit: number): Promise<DeadLetteredEvent[]> {
  return sql<
    DeadLetteredEvent[]
  >`select * from dead_letter_events order by dead_lettered_at desc, follower, position limit ${limit}`;
}

export async function requestDeadLetterRetry(sql: Queryable, follower: string | undefined): Promise<number> {
  const rows = await sql`
    update dead_letter_events set retry_asked = true
    where not retry_asked ${follower === undefined ? sql`` : sql`and follower = ${follower}`} returning 1`;
  return rows.length;
}

export async function isAnyAskedFor(sql: Queryable, follower: string, group: string): Promise<boolean> {
  const rows = await sql`
    select 1 from dead_letter_events where follower = ${follower} and tenant_group = ${group} and retry_asked limit 1`;
  return rows.length > 0;
}

/** For the due poll of one server: whether there are events after its position, or a dead letter to retry. */
export const isFollowerBehind = (sql: Queryable, follower: string, group: string): Piece => sql`
  (exists (select from event_followers f join event_positions e using (tenant_group)
           where f.tenant_group = ${group} and f.name = ${follower} and f.position < e.last_position)
   or exists (select from dead_letter_events where follower = ${follower} and retry_asked))`;

/** Under the follower's lock: the next one to try again, if its event is still kept. */
export async function findAskedFor(
  tx: Tx,
  follower: string,
  group: string,
): Promise<{ position: number; event: StampedEvent | undefined } | undefined> {
  const [deadLetter] = await tx<{ position: number; organization_id: string }[]>`
    select position, organization_id from dead_letter_events
    where follower = ${follower} and tenant_group = ${group} and retry_asked order by position limit 1`;
  if (deadLetter === undefined) return undefined;
  const [event] = await tx<StampedEvent[]>`
    select organization_id, position, event_id, order_id, branch_id, type, occurred_at, stamped_at, outbox_id, body
    from ${eventsOf(tx, deadLetter.organization_id)}
    where organization_id = ${deadLetter.organization_id} and position = ${deadLetter.position}`;
  return { position: deadLetter.position, event };
}

export async function removeDeadLetter(tx: Tx, follower: string, group: string, position: number): Promise<void> {
  await tx`
    delete from dead_letter_events where follower = ${follower} and tenant_group = ${group} and position = ${position}`;
}

/** Their events are gone; nothing can be done about them any more. */
export async function deleteDeadLetters(sql: Queryable, cut: Date): Promise<void> {
  await sql`delete from dead_letter_events where dead_lettered_at < ${cut}`;
}

export type FollowerFigures = {
  name: string;
  events_behind: number;
  seconds_behind: number;
  dead_lettered: number;
  dead_lettered_last_day: number;
};

/** Past this many it is far behind, and a count would take long. */
const COUNTED_AT_MOST = 10_000;

/** Of these followers, and first of the publisher, which they all wait for. */
export async function readFollowerFigures(
  sql: Queryable,
  names: string[],
  now: Date,
  lately: Date,
): Promise<FollowerFigures[]> {
  return sql.layout.isDistributed
    ? readFiguresOfCluster(sql, names, now, lately)
    : await sql<FollowerFigures[]>`
    select 'publisher' as name,
           (select count(*) from (select 1 from order_outbox limit ${COUNTED_AT_MOST}) waiting) as events_behind,
           coalesce((select greatest(0, extract(epoch from ${now}::timestamptz) - c.occurred_us / 1e6)
                     from (select * from order_outbox order by id limit 1) o
                     join order_changes c on c.organization_id = o.organization_id and c.id = o.id and c.week = o.week), 0)
             as seconds_behind,
           0::bigint as dead_lettered, 0::bigint as dead_lettered_last_day
    union all
    select f.name, greatest(0, e.last_position - f.position),
           coalesce(greatest(0, extract(epoch from ${now}::timestamptz - next.stamped_at)), 0),
           (select count(*) from dead_letter_events p where p.follower = f.name),
           (select count(*) from dead_letter_events p where p.follower = f.name and p.dead_lettered_at >= ${lately})
    from event_positions e cross join lateral (
      -- Also those that have not begun yet, which have no row.
      select n.name, coalesce(k.position, 0) as position from unnest(${names}::text[]) as n (name)
      left join event_followers k on k.tenant_group = e.tenant_group and k.name = n.name
    ) f
    left join lateral (
      select stamped_at from order_feed where tenant_group = e.tenant_group and position > f.position order by position limit 1
    ) next on f.position < e.last_position`;
}

/** Of all groups together. Every shard is asked, as a scrape of metrics asks for the whole service. */
async function readFiguresOfCluster(
  sql: Queryable,
  names: string[],
  now: Date,
  lately: Date,
): Promise<FollowerFigures[]> {
  const [waiting] = await sql<{ events: number }[]>`select count(*) as events from order_outbox`;
  const [first] = await sql<{ organization_id: string; id: number; week: Date }[]>`
    select organization_id, id, week from order_outbox order by id limit 1`;
  const [oldestChange] =
    first === undefined
      ? []
      : await sql<{ occurred_us: number }[]>`
          select occurred_us from order_changes
          where organization_id = ${first.organization_id} and id = ${first.id} and week = ${first.week}`;
  const behind = await sql<{ name: string; events: number }[]>`
    select f.name, sum(greatest(0, e.last_position - f.position))::bigint as events
    from event_followers f join event_positions e on e.tenant_group = f.tenant_group
    where f.name = any(${names}) group by f.name`;
  const oldest = await sql<{ name: string; stamped_at: Date }[]>`
    select f.name, min(e.stamped_at) as stamped_at
    from event_followers f join order_feed e on e.tenant_group = f.tenant_group and e.position > f.position
    where f.name = any(${names}) group by f.name`;
  const deadLetters = await sql<{ name: string; all: number; last_day: number }[]>`
    select follower as name, count(*) as all, count(*) filter (where dead_lettered_at >= ${lately}) as last_day
    from dead_letter_events where follower = any(${names}) group by follower`;
  const oldestOf = new Map(oldest.map((row) => [row.name, row.stamped_at.getTime()]));
  const deadOf = new Map(deadLetters.map((row) => [row.name, row]));
  const secondsSince = (fromMs: number | undefined) =>
    fromMs === undefined ? 0 : Math.max(0, (now.getTime() - fromMs) / 1000);
  const publisher = {
    name: 'publisher',
    events_behind: waiting?.events ?? 0,
    seconds_behind: secondsSince(oldestChange && oldestChange.occurred_us / 1000),
    dead_lettered: 0,
    dead_lettered_last_day: 0,
  };
  return [
    publisher,
    ...behind.map(({ name, events }) => ({
      name,
      events_behind: events,
      seconds_behind: secondsSince(oldestOf.get(name)),
      dead_lettered: deadOf.get(name)?.all ?? 0,
      dead_lettered_last_day: deadOf.get(name)?.last_day ?? 0,
    })),
  ];
}
