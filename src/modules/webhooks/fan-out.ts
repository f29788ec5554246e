import type { Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { StampedEvent } from '../events/index.ts';
import { type ClaimedDirectly, claimDirectly, type DirectLimits, type Sendable } from './claim-directly.ts';
import { PRIORITY } from './delivery.ts';
import { insertDeliveries } from './sql/deliveries.ts';
import { findMatches } from './sql/subscriptions.ts';

/** `sent`: claimed for this process, to be sent after the commit. `queued`: how many another claim will find. */
export type FannedOut = { sent: ClaimedDirectly['sent']; queued: number };

/**
 * Creates one delivery per event and matching subscription; for a disabled one it is logged as skipped. With `limits`, those that this
 * process can send at once are not queued.
 */
export async function fanOut(
  tx: Tx,
  events: StampedEvent[],
  now: Date,
  retries: number,
  limits?: DirectLimits,
): Promise<FannedOut> {
  const matches = await findMatches(tx, events);
  if (matches.length === 0) return { sent: [], queued: 0 };
  const eventAt = new Map(events.map((event) => [event.position, event]));
  const deliveries = matches.flatMap((match): Sendable[] => {
    const event = eventAt.get(match.position);
    if (event === undefined) return [];
    const delivery = {
      organization_id: match.organization_id,
      subscription_id: match.subscription_id,
      id: newId(),
      event_id: event.event_id,
      event_type: event.type,
      event_position: event.position,
      own_body: null,
      status: match.status === 'disabled' ? ('skipped' as const) : ('pending' as const),
      priority: PRIORITY.first,
      retries_left: retries,
      created: now,
    };
    return [{ delivery, body: event.body, isIdle: match.is_idle }];
  });
  const { sent, left } =
    limits === undefined
      ? { sent: [], left: deliveries.map(({ delivery }) => delivery) }
      : await claimDirectly(tx, deliveries, limits, retries);
  if (left.length > 0) await insertDeliveries(tx, left);
  return { sent, queued: left.filter((delivery) => delivery.status === 'pending').length };
}
