import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { findPayment, findStatus, normaliseOrder } from './normalise.ts';

/** The id is `jahez_id` in a new order and `jahezOrderId` in later events. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const payload = readerOfCall(call);
  if (payload.at('products').isThere() || payload.at('final_price').isThere()) return normaliseOrder(payload, context);
  const id = payload.at('jahezOrderId').isThere() ? payload.at('jahezOrderId') : payload.at('jahez_id');
  const event = payload.at('event').findText() ?? 'order.update';
  const [status, { paymentStatus }] = [findStatus(payload), findPayment(payload)];
  const orderId = id.getId();
  if (status === undefined && paymentStatus === undefined) return { kind: 'ignored', event, orderId };
  return { kind: 'change', event, orderId, revision: undefined, status, paymentStatus };
}
