import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import {
  type ParsedPayload,
  type PaymentStatus,
  type ReadContext,
  readerOfCall,
  type StagedCall,
} from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { findStatus, slugOf } from './statuses.ts';

/** `{event, merchant, created_at, data}`; `data` is an order or a change with the order in `order`. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const payload = readerOfCall(call);
  const event = payload.at('event').findText() ?? '';
  if (!event.startsWith('order.')) return { kind: 'ignored', event };
  const data = payload.at('data');
  // For a status change, `data.id` is the id of the change.
  const order = data.at('order', 'id').isThere() ? data.at('order') : data;
  // Orders have no time of change; the envelope has the time of the event.
  const sentAt = findInstant(payload.at('created_at').findText(), context.timeZone);
  const revision = sentAt && revisionOf(sentAt);
  if (event === 'order.deleted') {
    return { kind: 'change', event, orderId: order.at('id').getId(), revision, status: 'CANCELLED' };
  }
  if (isWholeOrder(order) || event === 'order.created' || event === 'order.updated') {
    return normaliseOrder(order, { event, merchant: payload.at('merchant').findId(), revision }, context);
  }
  const orderId = order.at('order_id').findId() ?? order.at('id').getId();
  const { status, paymentStatus } = newsOf(order, event, context);
  // For example a cancelled shipment: another one follows, and the order is unchanged.
  if (status === undefined && paymentStatus === undefined) return { kind: 'ignored', event, orderId };
  return { kind: 'change', event, orderId, revision, status, paymentStatus };
}

export function readOrder(payload: Reader, context: ReadContext): ParsedPayload {
  const order = payload.at('data').isThere() ? payload.at('data') : payload;
  return normaliseOrder(order, { event: 'order', merchant: undefined, revision: undefined }, context);
}

function isWholeOrder(order: Reader): boolean {
  return order.at('amounts', 'total').isThere() || order.at('total', 'amount').isThere();
}

function newsOf(order: Reader, event: string, { settings }: ReadContext) {
  const found = findStatus(slugOf(order.at('status')), settings);
  return {
    status: event === 'order.cancelled' ? ('CANCELLED' as const) : found?.status,
    paymentStatus:
      found?.paymentStatus ?? (event === 'order.refunded' ? ('refunded' satisfies PaymentStatus) : undefined),
  };
}
