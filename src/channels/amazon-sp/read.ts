import { parseExactJson, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder, orderIn } from './normalise.ts';
import { credentials } from './push.ts';

/** The notifications about orders. */
const OF_ORDERS = new Set(['ORDER_CHANGE', 'ORDER_STATUS_CHANGE']);

/** A notification names a changed order without its contents: it is fetched. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const notice = noticeOf(readerOfCall(call));
  const event = notice.at('NotificationType').findText();
  if (event !== undefined) {
    if (!OF_ORDERS.has(event)) return { kind: 'ignored', event };
    const [, inner] = notice.at('Payload').entries()[0] ?? [];
    return { kind: 'fetch', event, orderId: (inner ?? notice.at('Payload')).at('AmazonOrderId').getId() };
  }
  const order = orderIn(notice);
  if (order.at('Orders').isThere() || order.at('orders').isThere()) return { kind: 'ignored', event: 'orders' };
  if (order.at('orderId').isThere()) return normaliseOrder(order, context);
  // A v0 response lacks the items: they are fetched separately if the install has credentials.
  const isUnreachable = credentials(context.settings).kind === 'missing';
  if (order.at('OrderItems').isThere() || (isUnreachable && order.at('OrderStatus').isThere())) {
    return normaliseOrder(order, context);
  }
  return { kind: 'fetch', event: 'order', orderId: order.at('AmazonOrderId').getId() };
}

/** EventBridge wraps a notification in `detail`, SNS in the text of `Message`. */
function noticeOf(body: Reader): Reader {
  if (body.at('detail').isThere()) return body.at('detail');
  const message = body.at('Message').value;
  return typeof message === 'string' ? readerOf(parseExactJson(message), 'Message') : body;
}
