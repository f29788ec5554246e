import type { Queryable } from '../../../platform/database/index.ts';

/** A subscription whose receiver does not take what it is sent. */
export type TroubledSubscription = { id: string; url: string; is_disabled: boolean; since: Date };

/** Those that were disabled, and active ones whose last delivery failed. */
export function listTroubledSubscriptions(sql: Queryable, organizationId: string): Promise<TroubledSubscription[]> {
  return sql<TroubledSubscription[]>`
    select id, url, status = 'disabled' as is_disabled, coalesce(failing_since, updated) as since
    from webhook_subscriptions
    where organization_id = ${organizationId}
      and (status = 'disabled' or (status = 'active' and failing_since is not null))
    order by since desc, id`;
}
