import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { LANE, LANE_ROOM } from '../delivery.ts';
import type { Subscription, SubscriptionStatus } from '../subscription.ts';

const SUBSCRIPTION_COUNT_LOCK = 7_202;

/** Creations of one tenant queue here, so that the limit holds whatever arrives together. */
export async function lockSubscriptionCount(tx: Tx, organizationId: string): Promise<number> {
  await tx`select pg_advisory_xact_lock(${SUBSCRIPTION_COUNT_LOCK}, hashtext(${organizationId}))`;
  const [row] = await tx<{ total: number }[]>`
    select count(*) as total from webhook_subscriptions where organization_id = ${organizationId}`;
  return row?.total ?? 0;
}

export type NewSubscription = Pick<
  Subscription,
  'organization_id' | 'id' | 'url' | 'description' | 'event_types' | 'secret' | 'secret_hint' | 'created'
>;

export async function insertSubscription(tx: Tx, row: NewSubscription): Promise<Subscription> {
  const [stored] = await tx<[Subscription]>`
    insert into webhook_subscriptions ${tx({ ...row, updated: row.created })} returning *`;
  await tx`
    insert into webhook_lanes (subscription_id, lane, organization_id, max_in_flight)
    select ${row.id}, lane, ${row.organization_id}, room
    from unnest(${Object.values(LANE)}::int[], ${Object.values(LANE_ROOM.healthy)}::int[]) as l (lane, room)`;
  return stored;
}

export function listSubscriptions(sql: Queryable, organizationId: string): Promise<Subscription[]> {
  return sql<Subscription[]>`
    select * from webhook_subscriptions where organization_id = ${organizationId} order by created desc, id desc`;
}

export async function findSubscription(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<Subscription | undefined> {
  const [row] = await sql<Subscription[]>`
    select * from webhook_subscriptions where organization_id = ${organizationId} and id = ${id}`;
  return row;
}

export async function lockSubscription(tx: Tx, organizationId: string, id: string): Promise<Subscription | undefined> {
  const [row] = await tx<Subscription[]>`
    select * from webhook_subscriptions where organization_id = ${organizationId} and id = ${id} for update`;
  return row;
}

export async function updateSubscription(
  tx: Tx,
  row: Subscription,
  change: Partial<
    Pick<
      Subscription,
      | 'url'
      | 'description'
      | 'event_types'
      | 'status'
      | 'disabled_reason'
      | 'failing_since'
      | 'secret'
      | 'secret_hint'
      | 'previous_secret'
      | 'rotation_ends_at'
      | 'updated'
    >
  >,
): Promise<Subscription> {
  const [stored] = await tx<[Subscription]>`
    update webhook_subscriptions set ${tx(change)}
    where organization_id = ${row.organization_id} and id = ${row.id} returning *`;
  return stored;
}

/** Held lanes keep what they have; what was asked for by hand goes out all the same. */
export async function setLanes(
  tx: Tx,
  subscriptionId: string,
  status: SubscriptionStatus,
  failing: boolean,
): Promise<void> {
  const room = failing ? LANE_ROOM.failing : LANE_ROOM.healthy;
  await tx`
    update webhook_lanes l set
      held = ${status !== 'active'} and l.lane <> ${LANE.byHand},
      max_in_flight = r.room
    from unnest(${Object.values(LANE)}::int[], ${Object.values(room)}::int[]) as r (lane, room)
    where l.subscription_id = ${subscriptionId} and l.lane = r.lane`;
}

export async function deleteSubscription(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx`delete from webhook_subscriptions where organization_id = ${organizationId} and id = ${id}`;
  await tx`delete from webhook_lanes where subscription_id = ${id}`;
  await tx`delete from webhook_queue where subscription_id = ${id}`;
  await tx`delete from webhook_deliveries where organization_id = ${organizationId} and subscription_id = ${id}`;
}
