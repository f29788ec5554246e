export const SUBSCRIPTION_STATUSES = ['active', 'paused', 'disabled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export type Subscription = {
  organization_id: string;
  id: string;
  url: string;
  description: string;
  event_types: string[];
  status: SubscriptionStatus;
  disabled_reason: string;
  secret: Buffer;
  secret_hint: string;
  previous_secret: Buffer | null;
  rotation_ends_at: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failing_since: Date | null;
  created: Date;
  updated: Date;
};

export const MAX_SUBSCRIPTIONS = 20;
export const ROTATION_OVERLAP_MS = 24 * 3_600_000;
export const DISABLE_AFTER_MS = 3 * 24 * 3_600_000;

export function subscriptionShape(row: Subscription, now: Date) {
  return {
    id: row.id,
    organization_id: row.organization_id,
    url: row.url,
    description: row.description,
    event_types: row.event_types,
    status: row.status,
    disabled_reason: row.disabled_reason,
    secret_hint: row.secret_hint,
    rotating: isRotating(row, now),
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    last_success_at: row.last_success_at?.toISOString() ?? '',
    last_failure_at: row.last_failure_at?.toISOString() ?? '',
  };
}

export function isRotating(row: { rotation_ends_at: Date | null }, now: Date): boolean {
  return row.rotation_ends_at !== null && row.rotation_ends_at > now;
}
