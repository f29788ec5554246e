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
      (select count(*) from webhook_queued_deliveries where claim_id is not null) as claimed,
      (select coalesce(greatest(0, extract(epoch from ${now} - min(due_at))), 0) from webhook_subscription_queues
       where due_at <= ${now} and state = 'open') as oldest_due_seconds,
      (select count(*) from webhook_subscriptions where status = 'disabled') as disabled`;
  return row ?? { pending: 0, claimed: 0, oldest_due_seconds: 0, disabled: 0 };
}
