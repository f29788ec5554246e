import { FOLLOWER_LOCKS, type Queryable, type Tx } from '../../../platform/database/index.ts';
import { eventsOf } from './order-events.ts';

export type StampedEvent = {
  organization_id: string;
  /** Among the events of the tenant's group: for followers, never for clients. */
  position: number;
  event_id: string;
  order_id: string;
  branch_id: string | null;
  type: string;
  occurred_at: Date;
  stamped_at: Date;
  /** The number its writer got. Negative where the event was stamped before that was kept. */
  outbox_id: number;
  body: string;
};

/** Of a group of tenants together. */
export async function readPositions(sql: Queryable, group: string): Promise<{ last: number; firstKept: number }> {
  const [row] = await sql<{ last_position: number; first_kept_position: number }[]>`
    select last_position, first_kept_position from event_positions where tenant_group = ${group}`;
  return { last: row?.last_position ?? 0, firstKept: row?.first_kept_position ?? 1 };
}

/** The last place given to an event of the tenant. */
export async function readTenantPosition(sql: Queryable, organizationId: string): Promise<number> {
  const [row] = await sql<{ last_position: number | null }[]>`
    select ${tenantPosition(sql, organizationId)} as last_position`;
  return row?.last_position ?? 0;
}

/** As an expression, for a statement that reads more. Null before the first event. */
export const tenantPosition = (sql: Queryable, organizationId: string) =>
  sql`(select last_position from event_tenant_positions where organization_id = ${organizationId})`;

/** The last number given to a change, committed or not: whatever is written from now on gets a higher one. */
export async function readLastWritten(sql: Queryable): Promise<number> {
  const [row] = await sql<{ last_value: number; is_called: boolean }[]>`
    select last_value, is_called from order_outbox_id_seq`;
  if (row === undefined) return 0;
  return row.is_called ? row.last_value : row.last_value - 1;
}

export type FeedQuery = {
  organizationId: string;
  branchId: string | null;
  afterPosition: number;
  upToPosition: number;
  stampedFrom: Date;
  types: string[];
  limit: number;
  maxBytes: number;
};

export type FeedRow = {
  place: number;
  stamped_at: Date;
  branch_id: string | null;
  type: string;
  body: string;
  /** How many there are up to the limit, the ones that were too many bytes included. */
  found: number;
};

/** As many events as fit into the byte limit, and at least one. Lengths are known without reading the texts. */
export function readFeed(sql: Queryable, query: FeedQuery): Promise<FeedRow[]> {
  return sql<FeedRow[]>`
    select place, stamped_at, branch_id, type, body, found from (
      select e.*, count(*) over () as found,
             coalesce(sum(body_bytes) over (order by place rows between unbounded preceding and 1 preceding), 0)
               as bytes_before
      from (
        select tenant_position as place, stamped_at, branch_id, type, body, body_bytes from ${eventsOf(sql, query.organizationId)}
        where organization_id = ${query.organizationId}
          and tenant_position > ${query.afterPosition} and tenant_position <= ${query.upToPosition}
          and stamped_at >= ${query.stampedFrom}
          ${query.branchId === null ? sql`` : sql`and branch_id = ${query.branchId}`}
          ${query.types.length === 0 ? sql`` : sql`and type = any(${query.types})`}
        order by tenant_position limit ${query.limit}
      ) e
    ) e where bytes_before < ${query.maxBytes} order by place`;
}

export async function findFirstKept(
  sql: Queryable,
  organizationId: string,
  stampedFrom: Date,
): Promise<{ place: number; stamped_at: Date } | undefined> {
  const [row] = await sql<{ place: number; stamped_at: Date }[]>`
    select tenant_position as place, stamped_at from order_feed
    where tenant_group = ${sql.layout.groupOf(organizationId)} and organization_id = ${organizationId} and stamped_at >= ${stampedFrom}
    order by tenant_position limit 1`;
  return row;
}

/** Of an order, or for an account confined to a branch, of its time there. */
export type TimelineKey = { organizationId: string; orderId: string; branchId: string | null };

/** From the oldest, after a position; bodies up to so many bytes and at least one, null beyond. */
export function readTimeline(
  sql: Queryable,
  { organizationId, orderId, branchId }: TimelineKey,
  stretch: { afterPosition: number; offset: number; limit: number; maxBytes: number },
): Promise<{ position: number; body: string | null }[]> {
  return sql<{ position: number; body: string | null }[]>`
    select position, case when bytes_before < ${stretch.maxBytes} then body end as body from (
      select position, body, sum(body_bytes) over (order by position) - body_bytes as bytes_before
      from (
        select position, body, body_bytes from ${eventsOf(sql, organizationId)}
        where organization_id = ${organizationId} and order_id = ${orderId} and position > ${stretch.afterPosition}
          ${branchId === null ? sql`` : sql`and branch_id = ${branchId}`}
        order by position limit ${stretch.limit} offset ${stretch.offset}) page) sized
    order by position`;
}

/** How far back the latest events of one branch are looked for: they have no index of their own. */
const LOOKED_THROUGH = 5_000;

/** The bodies of the newest events, newest first. Of one branch, those among the tenant's last few thousand. */
export async function readLatest(
  sql: Queryable,
  { organizationId, branchId }: { organizationId: string; branchId: string | null },
  limit: number,
): Promise<string[]> {
  const newest = sql`
    from ${eventsOf(sql, organizationId)} where organization_id = ${organizationId} order by tenant_position desc`;
  const rows =
    branchId === null
      ? await sql<{ body: string }[]>`select body ${newest} limit ${limit}`
      : await sql<{ body: string }[]>`
          select body from (select branch_id, body, tenant_position as place ${newest} limit ${LOOKED_THROUGH}) latest
          where branch_id = ${branchId} order by place desc limit ${limit}`;
  return rows.map((row) => row.body);
}

/** Whether the event at a position is this one. */
export async function isStillStamped(sql: Queryable, group: string, event: StampedEvent): Promise<boolean> {
  const rows = await sql`
    select 1 from order_feed
    where tenant_group = ${group} and position = ${event.position} and stamped_at = ${event.stamped_at}
      and organization_id = ${event.organization_id} and order_id = ${event.order_id} and change_id = ${event.outbox_id}`;
  return rows.length > 0;
}

export async function lockFollower(tx: Tx, name: string, group: string): Promise<number> {
  const lock = () => tx<{ position: number }[]>`
    select position from event_followers where tenant_group = ${group} and name = ${name} for update`;
  const [known] = await lock();
  if (known === undefined) await addFollower(tx, name, group);
  const [locked] = known === undefined ? await lock() : [known];
  if (tx.layout.isDistributed) await lockFollowerOnNode(tx, name, group);
  return locked?.position ?? 0;
}

/**
 * On a cluster: waits until the follower's last batch is committed on the node of its group. It is committed on the coordinator, with the
 * position, some milliseconds earlier, or minutes if the node fails in between: the next batch would add to what it does not see yet.
 */
export async function lockFollowerOnNode(tx: Tx, name: string, group: string): Promise<void> {
  await tx`
    insert into ${tx(FOLLOWER_LOCKS)} (tenant_group, name) values (${group}, ${name})
    on conflict (tenant_group, name) do update set name = excluded.name`;
}

export async function moveFollower(tx: Tx, name: string, group: string, position: number): Promise<void> {
  await tx`update event_followers set position = ${position} where tenant_group = ${group} and name = ${name}`;
}

export async function readFollower(sql: Queryable, name: string, group: string): Promise<number | undefined> {
  const [known] = await sql<{ position: number }[]>`
    select position from event_followers where tenant_group = ${group} and name = ${name}`;
  return known?.position;
}

/** False when the follower is not, or no longer, where its events were read from. */
export async function advanceFollower(
  tx: Tx,
  name: string,
  group: string,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const moved = await tx`
    update event_followers set position = ${to}
    where tenant_group = ${group} and name = ${name} and position = ${from}`;
  return moved.count > 0;
}

/** Before its first event. */
export async function addFollower(sql: Queryable, name: string, group: string): Promise<void> {
  await sql`insert into event_followers (tenant_group, name, position) values (${group}, ${name}, 0) on conflict do nothing`;
}

export async function forgetBefore(sql: Queryable, group: string, cut: Date): Promise<void> {
  await sql`
    update event_positions set first_kept_position = coalesce(
      (select min(position) from order_feed where tenant_group = ${group} and stamped_at >= ${cut}), last_position + 1)
    where tenant_group = ${group}`;
}

/** Those written in a week whose partition had not been made. The others go with their partition. */
export async function deleteStrayChanges(sql: Queryable, cut: Date): Promise<void> {
  await sql`delete from order_changes_other where week < (${cut}::timestamptz at time zone 'UTC')::date - 7`;
}
