import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';
import type { StampedEvent } from './events.ts';

export type DeadLetteredEvent = {
  follower: string;
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
    insert into dead_letter_events (follower, position, organization_id, event_id, error, dead_lettered_at)
    values (${follower}, ${position}, ${organization_id}, ${event_id}, ${error}, ${now})
    on conflict (follower, position) do update set error = excluded.error, retry_asked = false`;
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

export async function isAnyAskedFor(sql: Queryable, follower: string): Promise<boolean> {
  const rows = await sql`select 1 from dead_letter_events where follower = ${follower} and retry_asked limit 1`;
  return rows.length > 0;
}

/** For the due poll: whether there are events after its position, or a dead letter to retry. */
export const isFollowerBehind = (sql: Queryable, follower: string): Piece => sql`
  (exists (select from event_followers f cross join event_positions e
           where f.name = ${follower} and f.position < e.last_position)
   or exists (select from dead_letter_events where follower = ${follower} and retry_asked))`;

/** Under the follower's lock: the next one to try again, if its event is still kept. */
export async function findAskedFor(
  tx: Tx,
  follower: string,
): Promise<{ position: number; event: StampedEvent | undefined } | undefined> {
  const [deadLetter] = await tx<{ position: number; organization_id: string }[]>`
    select position, organization_id from dead_letter_events
    where follower = ${follower} and retry_asked order by position limit 1`;
  if (deadLetter === undefined) return undefined;
  const [event] = await tx<StampedEvent[]>`
    select organization_id, position, event_id, order_id, branch_id, type, occurred_at, stamped_at, outbox_id, body
    from order_events where organization_id = ${deadLetter.organization_id} and position = ${deadLetter.position}`;
  return { position: deadLetter.position, event };
}

export async function removeDeadLetter(tx: Tx, follower: string, position: number): Promise<void> {
  await tx`delete from dead_letter_events where follower = ${follower} and position = ${position}`;
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
  return await sql<FollowerFigures[]>`
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
    from event_followers f cross join event_positions e
    left join lateral (
      select stamped_at from order_feed where position > f.position order by position limit 1
    ) next on f.position < e.last_position
    where f.name = any(${names})`;
}
