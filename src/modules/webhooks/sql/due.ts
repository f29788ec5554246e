import type { IsDue } from '../../../platform/background/index.ts';

/** For the due poll: deliveries to claim. */
export const isAnyQueueDue: IsDue = (sql, now) =>
  sql`exists (select from webhook_subscription_queues where due_at <= ${now} and state = 'open')`;

/** For the due poll: leases that have ended, settled or not, and deliveries of disabled subscriptions. */
export const isAnySweepDue: IsDue = (sql, now) => sql`
  (exists (select from webhook_leases where lease_until < ${now})
   or exists (select from webhook_direct_claims where lease_until < ${now})
   or exists (select from webhook_subscription_queues where due_at is not null and state = 'closed'))`;

/** For the due poll: logs of deleted subscriptions. */
export const isAnyRemovalDue: IsDue = (sql) => sql`exists (select from webhook_removals)`;
