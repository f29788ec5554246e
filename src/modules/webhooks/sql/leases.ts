import type { Queryable } from '../../../platform/database/index.ts';
import type { Claim } from './claims.ts';

export type Lease = { claim_id: string; claimed_at: Date; delivery_ids: string[] };
export type LostClaim = Claim & { claimed_at: Date };

/** A lease that ended with unsettled deliveries: its process was lost. */
export async function findLostLease(sql: Queryable, now: Date): Promise<Lease | undefined> {
  const [lease] = await sql<Lease[]>`
    select claim_id, claimed_at, delivery_ids from webhook_leases
    where lease_until < ${now} and unsettled > 0 order by lease_until limit 1`;
  return lease;
}

/**
 * The unsettled deliveries of a lost process. Not locked here, since queues are locked before deliveries; a delivery that changes before it
 * is settled has another claim id.
 */
export async function findLostClaims(sql: Queryable, lease: Lease): Promise<LostClaim[]> {
  return await sql<LostClaim[]>`
    select delivery_id, organization_id, subscription_id, event_id, event_type, priority, retries_left, claim_id,
           ${lease.claimed_at}::timestamptz as claimed_at
    from webhook_queued_deliveries where delivery_id = any(${lease.delivery_ids}::uuid[]) and claim_id = ${lease.claim_id}`;
}

export async function dropLease(sql: Queryable, { claim_id }: Lease): Promise<void> {
  await sql`delete from webhook_leases where claim_id = ${claim_id}`;
}

/** Leases without unsettled deliveries. */
export async function dropSettledLeases(sql: Queryable, now: Date): Promise<void> {
  await sql`delete from webhook_leases where lease_until < ${now} and unsettled <= 0`;
}
