export type DeliveryStatus = 'pending' | 'delivered' | 'dead' | 'skipped';
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'dead', 'skipped'];

export type Attempt = {
  at: string;
  status_code: number | null;
  error: string;
  duration_ms: number;
  response_excerpt: string;
};

export type Delivery = {
  organization_id: string;
  subscription_id: string;
  id: string;
  event_id: string;
  event_type: string;
  event_position: number | null;
  own_body: string | null;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  last_status_code: number | null;
  last_error: string;
  attempt_log: Attempt[];
  delivered_at: Date | null;
  created: Date;
};

/** The queues of a subscription. Each has its own in-flight limit, so that neither retries nor replays delay new events. */
export const PRIORITY = { first: 0, retry: 1, manual: 2 } as const;

/** Requests that a subscription may have in flight per priority, by whether its receiver answers. */
export const IN_FLIGHT_LIMITS = {
  healthy: { [PRIORITY.first]: 96, [PRIORITY.retry]: 12, [PRIORITY.manual]: 6 },
  failing: { [PRIORITY.first]: 2, [PRIORITY.retry]: 1, [PRIORITY.manual]: 6 },
} as const;

export const MAX_IN_FLIGHT_PER_ORGANIZATION = 192;

/** The part of such a limit that one process may use. */
export function processShare(limit: number): number {
  return Math.ceil((limit * 2) / 3);
}

/**
 * The headers that all attempts of a delivery share. Timestamp and signature differ per attempt and are sent to the receiver only.
 */
export function steadyHeaders(of: Pick<Delivery, 'event_id' | 'event_type' | 'organization_id'>) {
  return {
    'content-type': 'application/json',
    'user-agent': 'dukkan-webhooks',
    'webhook-id': of.event_id,
    'x-svc-event-type': of.event_type,
    'x-svc-organization-id': of.organization_id,
  };
}

export function deliveryShape(row: Delivery) {
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created: row.created.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    attempt_log: row.attempt_log,
  };
}
