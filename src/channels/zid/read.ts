import type { Reader } from '../../platform/inbound/index.ts';
import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder, orderIn } from './normalise.ts';

/** Top-level fields of other objects: products, customers, coupons, carts. */
const NOT_OF_ORDERS = ['sku', 'price', 'email', 'mobile', 'coupon_id', 'cart_id', 'coupons', 'orders'];

/** The body is the order without an event name, unless a relay added one. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const payload = readerOfCall(call);
  const event = payload.at('event').findText() ?? 'order';
  if (!event.startsWith('order')) return { kind: 'ignored', event };
  const order = orderIn(payload);
  if (!order.at('order_total').isThere()) {
    const orderId = findNoticedId(order) ?? findNoticedId(payload);
    return orderId === undefined ? { kind: 'ignored', event } : { kind: 'fetch', event, orderId };
  }
  // The same word for pending, refunded and voided: only the store's API distinguishes them.
  const { access_token, client_secret } = context.settings;
  if (order.at('payment_status').findText() === 'unpaid' && access_token !== undefined && client_secret !== undefined) {
    return { kind: 'fetch', event, orderId: order.at('id').getId() };
  }
  return { ...normaliseOrder(payload, context), event };
}

/** Order ids are numbers; product ids are not. */
function findNoticedId(notice: Reader): string | undefined {
  const named = notice.at('order_id').findId();
  if (named !== undefined) return named;
  if (NOT_OF_ORDERS.some((name) => notice.at(name).isThere())) return undefined;
  const id = notice.at('id').findId();
  return id !== undefined && /^\d+$/.test(id) ? id : undefined;
}
