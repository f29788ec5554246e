import { plainArray, type Tx } from '../../../platform/database/index.ts';
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
  next: { dueAt: Date; priority: number; retriesLeft: number } | undefined;
};

/** Replays have no end; a log that kept every one of them would have none either. */
const ATTEMPTS_KEPT = 100;

/**
 * Takes deliveries out of the queue, or back into it, and logs their attempts: those that still belong to their claim. The
 * others were taken over after their lease ran out. Returns the ids of those that were settled, in one row: a row for each
 * would be as many messages to read.
 */
export async function settleDeliveries(tx: Tx, outcomes: Outcome[]): Promise<Set<string>> {
  const [row] = await tx<{ settled: string | null }[]>`
    with input as materialized (
      select * from rows from (
        unnest(${plainArray(outcomes.map(({ claim }) => claim.delivery_id))}::text::uuid[],
               ${plainArray(outcomes.map(({ claim }) => claim.claim_id))}::text::uuid[],
               ${plainArray(outcomes.map(({ status }) => status))}::text::text[],
               ${plainArray(outcomes.map(({ counts }) => Number(counts)))}::text::int[],
               ${plainArray(outcomes.map(({ endedAt }) => endedAt))}::text::timestamptz[],
               ${plainArray(outcomes.map(({ next }) => next?.dueAt ?? null))}::text::timestamptz[],
               ${plainArray(outcomes.map(({ next }) => next?.priority ?? null))}::text::int[],
               ${plainArray(outcomes.map(({ next }) => next?.retriesLeft ?? null))}::text::int[]),
        jsonb_array_elements(${JSON.stringify(outcomes.map(({ attempt }) => attempt))}::text::jsonb)
      ) as o (delivery_id, claim_id, status, counted, ended_at, due_at, priority, retries_left, attempt)
    ), over as (
      delete from webhook_queued_deliveries q using input i
      where q.delivery_id = i.delivery_id and q.claim_id = i.claim_id and i.due_at is null
      returning i.*, q.organization_id, q.delivery_created
    ), again as (
      update webhook_queued_deliveries q set claim_id = null, due_at = i.due_at, priority = i.priority, retries_left = i.retries_left
      from input i
      where q.delivery_id = i.delivery_id and q.claim_id = i.claim_id and i.due_at is not null
      returning i.*, q.organization_id, q.delivery_created
    ), held as (
      select * from over union all select * from again
    ), logged as (
      update webhook_deliveries d set
        status = h.status, attempts = d.attempts + h.counted, next_attempt_at = h.due_at,
        last_status_code = (h.attempt ->> 'status_code')::int, last_error = h.attempt ->> 'error',
        delivered_at = case h.status when 'delivered' then h.ended_at else d.delivered_at end,
        attempt_log =
          case when jsonb_array_length(d.attempt_log) < ${ATTEMPTS_KEPT} then d.attempt_log else d.attempt_log - 0 end
          || h.attempt
      from held h
      where d.organization_id = h.organization_id and d.id = h.delivery_id and d.created = h.delivery_created
    ), released as (
      update webhook_leases l set unsettled = l.unsettled - h.settled
      from (select claim_id, count(*) as settled from held group by claim_id) h where l.claim_id = h.claim_id
    )
    select string_agg(delivery_id::text, ',') as settled from held`;
  return new Set(row?.settled?.split(','));
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
