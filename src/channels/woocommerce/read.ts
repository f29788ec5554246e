import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

/** What a shop sends of the things it sells and who buys them is not about orders. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const topic = call.headers['x-wc-webhook-topic'] ?? 'order.updated';
  if (!topic.startsWith('order.')) return { kind: 'ignored', event: topic };
  // A shop that saves a webhook sends `webhook_id=12` as a form, to see whether anybody is there.
  if (/^webhook_id=\d+$/.test(call.body.toString('latin1'))) return { kind: 'ignored', event: 'ping' };
  const order = readerOfCall(call);
  if (topic === 'order.deleted') {
    return { kind: 'change', event: topic, orderId: order.at('id').getId(), revision: undefined, status: 'CANCELLED' };
  }
  return { ...normaliseOrder(order, context), event: topic };
}
