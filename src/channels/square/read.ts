import { Unreadable } from '../../platform/inbound/index.ts';
import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

/** An event has the id and the version of an order, without its contents. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const body = readerOfCall(call);
  const event = body.at('type').findText();
  if (event === undefined) {
    if (body.at('order').isThere()) return normaliseOrder(body, context);
    throw new Unreadable('missing', 'type is missing', 'type');
  }
  const kind = event.split('.')[0] ?? '';
  const data = body.at('data');
  if (kind === 'order') {
    const [, inner] = data.at('object').entries()[0] ?? [];
    return { kind: 'fetch', event, orderId: inner?.at('order_id').findId() ?? data.at('id').getId() };
  }
  // Payments and refunds also update the order.
  const orderId = kind === 'payment' || kind === 'refund' ? data.at('object', kind, 'order_id').findId() : undefined;
  return orderId === undefined ? { kind: 'ignored', event } : { kind: 'fetch', event, orderId };
}
