import { groupTable, hashUuid, type Piece, type Queryable, runOnGroup } from '../../../platform/database/index.ts';
import { EVENT_SPEC_VERSION } from '../event-types.ts';
import { formatMicroseconds } from '../outbox-entry.ts';
import type { StampedEvent } from './events.ts';

export type FollowerBatch = {
  limit: number;
  /** Absent: the bodies are left where they are. */
  maxBodyBytes: number | undefined;
};

export type BatchOfEvents = { events: StampedEvent[]; more: boolean };

/** The events of a group after a position: for followers, which keep their own place. `more`: there is at least one left. */
export function readAfter(
  sql: Queryable,
  group: string,
  position: number,
  batch: FollowerBatch,
): Promise<BatchOfEvents> {
  return sql.layout.isDistributed
    ? readAfterOnGroup(sql, group, position, batch)
    : readFromView(sql, group, position, batch);
}

async function readFromView(
  sql: Queryable,
  group: string,
  position: number,
  { limit, maxBodyBytes }: FollowerBatch,
): Promise<BatchOfEvents> {
  const columns = sql`
    organization_id, position, event_id, order_id, branch_id, type, occurred_at, stamped_at, outbox_id`;
  const next = sql`
    from order_events where tenant_group = ${group} and position > ${position} order by position limit ${limit}`;
  if (maxBodyBytes === undefined) {
    const events = await sql<StampedEvent[]>`select ${columns}, '' as body ${next}`;
    return { events, more: events.length === limit };
  }
  const rows = await sql<(StampedEvent & { found: number })[]>`
    select ${columns}, body, found from (
      select e.*, count(*) over () as found,
             coalesce(sum(body_bytes) over
               (order by position rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (select ${columns}, body, body_bytes ${next}) e
    ) e where bytes_before < ${maxBodyBytes} order by position`;
  const events = rows.map(({ found, ...event }) => event);
  return { events, more: events.length === limit || (rows[0]?.found ?? 0) > events.length };
}

type FeedEntry = {
  organization_id: string;
  tenant_position: number;
  position: number;
  order_id: string;
  change_id: number;
  stamped_at: Date;
};

type Change = {
  branch_id: string | null;
  type: string;
  occurred_us: string;
  tail: string | null;
  body: string | null;
};

type Found = { found: number; events: (Omit<FeedEntry, 'stamped_at'> & Change & { stamped_at: string })[] };

/** On the node of the group: the view has no tenant that would route it. */
async function readAfterOnGroup(
  sql: Queryable,
  group: string,
  position: number,
  { limit, maxBodyBytes }: FollowerBatch,
): Promise<BatchOfEvents> {
  const next = sql`position > ${position}::bigint order by position limit ${limit}::int`;
  const { found, events } = await readOnGroup(sql, group, next, maxBodyBytes);
  return { events, more: found === limit || events.length < found };
}

/** On a cluster: the events of a group at these positions. */
export async function readAt(sql: Queryable, group: string, positions: number[]): Promise<StampedEvent[]> {
  const { events } = await readOnGroup(
    sql,
    group,
    sql`position = any(${positions}::bigint[])`,
    Number.MAX_SAFE_INTEGER,
  );
  return events;
}

/** As many as fit into the byte limit. Without a limit the bodies are left out. */
async function readOnGroup(sql: Queryable, group: string, which: Piece, maxBodyBytes: number | undefined) {
  const text = maxBodyBytes === undefined ? sql`null as tail, null as body` : sql`c.tail, c.body`;
  const answer = await runOnGroup(
    sql,
    group,
    sql`
      with entries as materialized (
        select organization_id, tenant_position, position, order_id, change_id, week, stamped_at
        from ${groupTable(sql, group, 'order_feed')} where tenant_group = ${group}::uuid and ${which}
      ), events as (
        select e.organization_id, e.tenant_position, e.position, e.order_id, e.change_id, e.stamped_at, c.branch_id, c.type,
               c.occurred_us::text, ${text},
               coalesce(sum(octet_length(coalesce(c.body, c.tail))) over
                 (order by e.position rows between unbounded preceding and 1 preceding), 0) as bytes_before
        from entries e
        join ${groupTable(sql, group, 'order_changes')} c
          on c.organization_id = e.organization_id and c.id = e.change_id and c.week = e.week
      )
      select json_build_object('found', (select count(*) from entries), 'events', (
               select coalesce(json_agg(e order by e.position), '[]') from events e
               where bytes_before < ${maxBodyBytes ?? Number.MAX_SAFE_INTEGER}::bigint))::text`,
  );
  const { found, events } = JSON.parse(answer ?? '') as Found;
  return {
    found,
    events: events.map((event) => eventFrom({ ...event, stamped_at: new Date(event.stamped_at) }, event)),
  };
}

/** As the view `order_events` makes it. */
function eventFrom(entry: FeedEntry, { branch_id, type, occurred_us, tail, body }: Change): StampedEvent {
  const { organization_id, position, tenant_position, order_id, change_id, stamped_at } = entry;
  const tenantDigits = String(hashUuid(organization_id) + 2 ** 31).padStart(10, '0');
  const event_id =
    body === null ? `evt_${occurred_us}_${tenant_position}${tenantDigits}` : (JSON.parse(body) as { id: string }).id;
  const cursor = `${String(tenant_position).padStart(16, '0')}_${Math.floor(stamped_at.getTime() / 1000)}`;
  const occurredAt = formatMicroseconds(BigInt(occurred_us));
  const head = `{"spec_version":"${EVENT_SPEC_VERSION}","id":"${event_id}","type":"${type}","occurred_at":"${occurredAt}"`;
  return {
    organization_id,
    position,
    event_id,
    order_id,
    branch_id,
    type,
    occurred_at: new Date(Number(BigInt(occurred_us) / 1000n)),
    stamped_at,
    outbox_id: change_id,
    body: body ?? (tail === null ? '' : `${head},"organization_id":"${organization_id}","cursor":"${cursor}${tail}`),
  };
}
