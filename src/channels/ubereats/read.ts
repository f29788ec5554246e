import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

/** An event names an order. `resource_href` is left alone: what to ask, and whom, is not for a payload to say. */
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
  // Said in full, and what is asked for afterwards need not be given any more.
  if (event === 'orders.cancel') return { kind: 'change', event, orderId, revision: undefined, status: 'CANCELLED' };
  return { kind: 'fetch', event, orderId };
}
