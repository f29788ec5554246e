import type { Tx } from '../../../platform/database/index.ts';
import type { Attempt, DeliveryStatus } from '../delivery.ts';
import type { SubscriptionStatus } from '../subscription.ts';
import type { Claim } from './claims.ts';

/** How one attempt ended, and what follows from it. */
export type Outcome = {
  claim: Claim;
  attempt: Attempt;
  /** Counted against the eight and for the receiver's health; an attempt whose sender was lost is only logged. */
  counts: boolean;
  status: DeliveryStatus;
  endedAt: Date;
  /** Set while the delivery stays pending. */
  next: { dueAt: Date; lane: number; retriesLeft: number } | undefined;
};

/** Replays have no end; a log that kept every one of them would have none either. */
const ATTEMPTS_KEPT = 100;

/**
 * Takes deliveries out of the queue, or back into it, and logs their attempts: those that still belong to their claim. The
 * others were taken over after their lease ran out. Returns the ids of those that were settled.
 */
export async function settleDeliveries(tx: Tx, outcomes: Outcome[]): Promise<Set<string>> {
  const rows = outcomes.map(({ claim, attempt, counts, status, endedAt, next }) => ({
    delivery_id: claim.delivery_id,
    claim_id: claim.claim_id,
    organization_id: claim.organization_id,
    created: claim.delivery_created,
    due_at: next?.dueAt ?? null,
    lane: next?.lane ?? null,
    retries_left: next?.retriesLeft ?? null,
    status,
    counted: counts ? 1 : 0,
    last_status_code: attempt.status_code,
    last_error: attempt.error,
    delivered_at: status === 'delivered' ? endedAt : null,
    attempt,
  }));
  const settled = await tx<{ delivery_id: string }[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as o
        (delivery_id uuid, claim_id uuid, organization_id uuid, created timestamptz, due_at timestamptz, lane smallint,
         retries_left smallint, status text, counted int, last_status_code int, last_error text,
         delivered_at timestamptz, attempt jsonb)
    ), over as (
      delete from webhook_queue q using input i
      where q.delivery_id = i.delivery_id and q.claim_id = i.claim_id and i.due_at is null
      returning i.*
    ), again as (
      update webhook_queue q set claim_id = null, claimed_at = null, lease_until = null, due_at = i.due_at,
        lane = i.lane, retries_left = i.retries_left
      from input i
      where q.delivery_id = i.delivery_id and q.claim_id = i.claim_id and i.due_at is not null
      returning i.*
    ), held as (
      select * from over union all select * from again
    ), logged as (
      update webhook_deliveries d set
        status = h.status, attempts = d.attempts + h.counted, next_attempt_at = h.due_at,
        last_status_code = h.last_status_code, last_error = h.last_error,
        delivered_at = coalesce(h.delivered_at, d.delivered_at),
        attempt_log =
          case when jsonb_array_length(d.attempt_log) < ${ATTEMPTS_KEPT} then d.attempt_log else d.attempt_log - 0 end
          || h.attempt
      from held h
      where d.organization_id = h.organization_id and d.id = h.delivery_id and d.created = h.created
    )
    select delivery_id from held`;
  return new Set(settled.map((row) => row.delivery_id));
}

export type HealthRow = {
  organization_id: string;
  id: string;
  status: SubscriptionStatus;
  failing_since: Date | null;
};

export async function lockHealth(tx: Tx, subscriptionIds: string[], organizationIds: string[]): Promise<HealthRow[]> {
  return await tx<HealthRow[]>`
    select organization_id, id, status, failing_since from webhook_subscriptions
    where organization_id = any(${organizationIds}::uuid[]) and id = any(${subscriptionIds}::uuid[])
    order by organization_id, id for no key update`;
}

export type HealthChange = {
  organization_id: string;
  id: string;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failing_since: Date | null;
  disabled_reason: string | null;
};

export async function saveHealth(tx: Tx, changes: HealthChange[]): Promise<void> {
  await tx`
    update webhook_subscriptions s set
      last_success_at = coalesce(h.last_success_at, s.last_success_at),
      last_failure_at = coalesce(h.last_failure_at, s.last_failure_at),
      failing_since = h.failing_since,
      status = case when h.disabled_reason is null then s.status else 'disabled' end,
      disabled_reason = coalesce(h.disabled_reason, s.disabled_reason)
    from json_to_recordset(${JSON.stringify(changes)}::text::json) as h
      (organization_id uuid, id uuid, last_success_at timestamptz, last_failure_at timestamptz,
       failing_since timestamptz, disabled_reason text)
    where s.organization_id = h.organization_id and s.id = h.id`;
}
