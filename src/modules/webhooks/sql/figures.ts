import type { Sql } from '../../../platform/database/index.ts';

export type QueueFigures = {
  pending: number;
  claimed: number;
  oldest_due_seconds: number;
  disabled: number;
};

/** For telemetry: how much waits, and for how long. */
export async function readQueueFigures(sql: Sql, now: Date): Promise<QueueFigures> {
  const [row] = await sql<QueueFigures[]>`
    select
      (select count(*) from webhook_queued_deliveries where claim_id is null) as pending,
      (select count(*) from webhook_queued_deliveries where claim_id is not null)
        + (select coalesce(sum(unlogged), 0) from webhook_direct_claims) as claimed,
      (select coalesce(greatest(0, extract(epoch from ${now} - min(due_at))), 0) from webhook_subscription_queues
       where due_at <= ${now} and state = 'open') as oldest_due_seconds,
      (select count(*) from webhook_subscriptions where status = 'disabled') as disabled`;
  return row ?? { pending: 0, claimed: 0, oldest_due_seconds: 0, disabled: 0 };
}

/**
 * Deliveries by the organization's day, counted on the index of the delivery log: 30 days are kept, so the cost follows the
 * volume of a month and not the history. Days without any are absent.
 */
export function countDeliveriesByDay(
  sql: Sql,
  organizationId: string,
  { since, timeZone }: { since: Date; timeZone: string },
): Promise<{ day: string; count: number }[]> {
  return sql<{ day: string; count: number }[]>`
    select day::text, count(*) as count from (
      select (d.created at time zone ${timeZone}::text)::date as day
      from webhook_subscriptions s
      join webhook_deliveries d on d.organization_id = s.organization_id and d.subscription_id = s.id
      where s.organization_id = ${organizationId} and d.created >= ${since}) as delivered
    group by day`;
}
