import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder, orderIn } from './normalise.ts';

/**
 * Magento has no webhooks: a store's module sends the order as in the API, or a related document (an invoice, a shipment), after
 * which the order is fetched.
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
