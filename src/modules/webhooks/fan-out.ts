import type { Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { StampedEvent } from '../events/index.ts';
import { PRIORITY } from './delivery.ts';
import { insertDeliveries, type NewDelivery } from './sql/deliveries.ts';
import { findMatches } from './sql/subscriptions.ts';

/** Creates one delivery per event and matching subscription; for a disabled one it is logged as skipped. */
export async function fanOut(tx: Tx, events: StampedEvent[], now: Date, retries: number): Promise<number> {
  const matches = await findMatches(tx, events);
  if (matches.length === 0) return 0;
  const eventAt = new Map(events.map((event) => [event.position, event]));
  const deliveries = matches.flatMap((match): NewDelivery[] => {
    const event = eventAt.get(match.position);
    if (event === undefined) return [];
    return [
      {
        organization_id: match.organization_id,
        subscription_id: match.subscription_id,
        id: newId(),
        event_id: event.event_id,
        event_type: event.type,
        event_position: event.position,
        own_body: null,
        status: match.status === 'disabled' ? 'skipped' : 'pending',
        priority: PRIORITY.first,
        retries_left: retries,
        created: now,
      },
    ];
  });
  await insertDeliveries(tx, deliveries);
  return deliveries.filter((delivery) => delivery.status === 'pending').length;
}
