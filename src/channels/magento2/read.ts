import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder, orderIn } from './normalise.ts';

/**
 * There is no webhook of the vendor's own: a shop's module sends the order as the interface gives it, or a document that
 * belongs to one (an invoice, a shipment), which is then a reason to look at the order.
 */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const payload = readerOfCall(call);
  const event = payload.at('event').findText() ?? 'order';
  const order = orderIn(payload);
  const documentOf = order.at('order_id').findId();
  if (documentOf !== undefined) {
    const isReachable = context.settings.access_token !== undefined;
    return { kind: isReachable ? 'fetch' : 'ignored', event, orderId: documentOf };
  }
  if (!order.at('entity_id').isThere() && !order.at('increment_id').isThere()) return { kind: 'ignored', event };
  return { ...normaliseOrder(payload, context), event };
}
