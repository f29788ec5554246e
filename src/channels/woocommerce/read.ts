import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

/** Topics about products, coupons and customers are ignored. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const topic = call.headers['x-wc-webhook-topic'] ?? 'order.updated';
  if (!topic.startsWith('order.')) return { kind: 'ignored', event: topic };
  // When a webhook is saved, the store pings it with the form `webhook_id=12`.
  if (/^webhook_id=\d+$/.test(call.body.toString('latin1'))) return { kind: 'ignored', event: 'ping' };
  const order = readerOfCall(call);
  if (topic === 'order.deleted') {
    return { kind: 'change', event: topic, orderId: order.at('id').getId(), revision: undefined, status: 'CANCELLED' };
  }
  return { ...normaliseOrder(order, context), event: topic };
}
