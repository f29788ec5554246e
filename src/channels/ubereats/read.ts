import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

/** An event names an order. `resource_href` is ignored: a payload must not choose the URL to call. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const payload = readerOfCall(call);
  const event = payload.at('event_type').findText();
  if (event === undefined) {
    const isOrder = ['current_state', 'cart', 'payment'].some((name) => payload.at(name).isThere());
    return isOrder ? normaliseOrder(payload, context) : { kind: 'ignored', event: 'notice' };
  }
  if (!/^(?:orders|delivery)\./.test(event)) return { kind: 'ignored', event };
  const meta = payload.at('meta');
  const orderId = (meta.at('order_id').isThere() ? meta.at('order_id') : meta.at('resource_id')).getId();
  // The event has all fields; the order may no longer be available to fetch.
  if (event === 'orders.cancel') return { kind: 'change', event, orderId, revision: undefined, status: 'CANCELLED' };
  return { kind: 'fetch', event, orderId };
}
