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

/** Queues within a subscription. Each has room of its own, so that neither retries nor replays hold up what is new. */
export const LANE = { first: 0, retry: 1, byHand: 2 } as const;

/** How many requests a subscription may have under way in each lane, when it answers and when it does not. */
export const LANE_ROOM = {
  healthy: { [LANE.first]: 96, [LANE.retry]: 12, [LANE.byHand]: 6 },
  failing: { [LANE.first]: 2, [LANE.retry]: 1, [LANE.byHand]: 6 },
} as const;

export const MAX_IN_FLIGHT_PER_ORGANIZATION = 192;

/** Of such room, what one process may take. */
export function ownShare(room: number): number {
  return Math.ceil((room * 2) / 3);
}

/**
 * What every attempt of a delivery says beside its body. The timestamp and the signature are made anew for each, and are
 * shown to nobody but the receiver.
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
