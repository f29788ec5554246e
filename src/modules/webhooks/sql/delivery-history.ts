import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';
import type { Attempt } from '../delivery.ts';

export type PastEvent = { event_id: string; type: string; position: number; occurred_at: Date };

/** `events` are those of the tenant: see `eventsOf`. */
export function listEventsSince(
  sql: Queryable,
  events: Piece,
  organizationId: string,
  since: Date,
): Promise<PastEvent[]> {
  return sql<PastEvent[]>`
    select event_id, type, position, occurred_at from ${events}
    where organization_id = ${organizationId} and occurred_at >= ${since} order by position`;
}

export type PastDelivery = {
  organization_id: string;
  subscription_id: string;
  id: string;
  event_id: string;
  event_type: string;
  event_position: number;
  status: 'delivered' | 'dead';
  attempts: number;
  last_status_code: number | null;
  last_error: string;
  attempt_log: Attempt[];
  delivered_at: string | null;
  created: Date;
};

/** The subscription remembers its last success and failure. */
export async function insertPastDeliveries(
  tx: Tx,
  { organizationId, id }: { organizationId: string; id: string },
  deliveries: PastDelivery[],
): Promise<void> {
  await tx`
    insert into webhook_deliveries (organization_id, subscription_id, id, event_id, event_type, event_position, status,
      attempts, last_status_code, last_error, attempt_log, delivered_at, created)
    select * from json_to_recordset(${JSON.stringify(deliveries)}::text::json) as d
      (organization_id uuid, subscription_id uuid, id uuid, event_id text, event_type text, event_position bigint,
       status text, attempts smallint, last_status_code int, last_error text, attempt_log jsonb,
       delivered_at timestamptz, created timestamptz)`;
  await tx`
    update webhook_subscriptions s set last_success_at = l.success_at, last_failure_at = l.failure_at
    from (
      select max((a ->> 'at')::timestamptz) filter (where a ->> 'error' = '') as success_at,
             max((a ->> 'at')::timestamptz) filter (where a ->> 'error' <> '') as failure_at
      from json_array_elements(${JSON.stringify(deliveries.flatMap((one) => one.attempt_log))}::text::json) as a) l
    where s.organization_id = ${organizationId} and s.id = ${id}`;
}
