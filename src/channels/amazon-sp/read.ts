import { parseExactJson, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { type ReadContext, type Reading, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

/** The notices that name an order. */
const OF_ORDERS = new Set(['ORDER_CHANGE', 'ORDER_STATUS_CHANGE']);

/** A notice says that an order changed, not what it is now: it is fetched. */
export function read(call: StagedCall, context: ReadContext): Reading {
  const notice = noticeOf(readerOfCall(call));
  const event = notice.at('NotificationType').findText();
  if (event !== undefined) {
    if (!OF_ORDERS.has(event)) return { kind: 'ignored', event };
    const [, inner] = notice.at('Payload').entries()[0] ?? [];
    return { kind: 'fetch', event, orderId: (inner ?? notice.at('Payload')).at('AmazonOrderId').getId() };
  }
  // Whoever forwards an order as the interface gave it sends half of it: its items are asked for separately.
  const order = notice.at('payload').isThere() ? notice.at('payload') : notice;
  if (order.at('Orders').isThere()) return { kind: 'ignored', event: 'orders' };
  const { access_token, client_id } = context.settings;
  const isUnreachable = access_token === undefined && client_id === undefined;
  // Where nobody can be asked, half of an order is better than none.
  if (order.at('OrderItems').isThere() || (isUnreachable && order.at('OrderStatus').isThere())) {
    return normaliseOrder(order, context);
  }
  return { kind: 'fetch', event: 'order', orderId: order.at('AmazonOrderId').getId() };
}

/** EventBridge wraps a notice in `detail`, SNS in the text of `Message`. */
function noticeOf(body: Reader): Reader {
  if (body.at('detail').isThere()) return body.at('detail');
  const message = body.at('Message').value;
  return typeof message === 'string' ? readerOf(parseExactJson(message), 'Message') : body;
}
