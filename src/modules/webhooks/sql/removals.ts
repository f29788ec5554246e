import type { Tx } from '../../../platform/database/index.ts';

export type Removal = { organizationId: string; subscriptionId: string };

/** A deleted subscription with rows left, locked for one process. */
export async function lockRemoval(tx: Tx): Promise<Removal | undefined> {
  const [row] = await tx<Removal[]>`
    select organization_id as "organizationId", subscription_id as "subscriptionId" from webhook_removals
    order by organization_id, subscription_id limit 1 for update skip locked`;
  return row;
}

/**
 * Removes a part of the rows of a deleted subscription, and the removal itself once there are none. A concurrent fan-out finds no queues
 * and deletes its own rows, so nothing is added later. Locked rows are skipped until the next call: waiting for them would violate the
 * lock order. Returns how many rows were removed.
 */
export async function removeSome(tx: Tx, { organizationId, subscriptionId }: Removal, limit: number): Promise<number> {
  const [removed] = await tx<{ queued: number; logged: number }[]>`
    with waiting as materialized (
      select delivery_id from webhook_queued_deliveries where subscription_id = ${subscriptionId} limit ${limit}
      for update skip locked
    ), found as materialized (
      select id, created from webhook_deliveries
      where organization_id = ${organizationId} and subscription_id = ${subscriptionId} limit ${limit}
      for update skip locked
    ), unqueued as (
      delete from webhook_queued_deliveries q using waiting w where q.delivery_id = w.delivery_id
    ), forgotten as (
      delete from webhook_deliveries d using found f
      where d.organization_id = ${organizationId} and d.id = f.id and d.created = f.created
    )
    select (select count(*) from waiting) as queued, (select count(*) from found) as logged`;
  await tx`
    delete from webhook_removals
    where organization_id = ${organizationId} and subscription_id = ${subscriptionId}
      and not exists (select 1 from webhook_queued_deliveries where subscription_id = ${subscriptionId})
      and not exists (
        select 1 from webhook_deliveries
        where organization_id = ${organizationId} and subscription_id = ${subscriptionId})`;
  return (removed?.queued ?? 0) + (removed?.logged ?? 0);
}
