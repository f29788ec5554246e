import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

const ORDER_TOPICS = new Set([
  'orders/create',
  'orders/updated',
  'orders/paid',
  'orders/cancelled',
  'orders/fulfilled',
  'orders/partially_fulfilled',
]);

/** Events about a part of an order, whose effect depends on the other parts. */
const PARTS: ReadonlyMap<string, (payload: Reader) => Reader> = new Map([
  ['refunds/create', (payload) => bare(payload, 'refund').at('order_id')],
  ['orders/edited', (payload) => payload.at('order_edit', 'order_id')],
]);

export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const topic = call.headers['x-shopify-topic'];
  if (topic === undefined) return readWithoutTopic(readerOfCall(call), context);
  if (ORDER_TOPICS.has(topic)) return { ...normaliseOrder(readerOfCall(call), context), event: topic };
  if (topic === 'orders/delete') {
    const orderId = readerOfCall(call).at('id').getId();
    return { kind: 'change', event: topic, orderId, revision: undefined, status: 'CANCELLED' };
  }
  if (topic === 'fulfillments/create' || topic === 'fulfillments/update') {
    return readFulfillment(bare(readerOfCall(call), 'fulfillment'), topic, context);
  }
  const orderIdOf = PARTS.get(topic);
  if (orderIdOf === undefined) return { kind: 'ignored', event: topic };
  const orderId = orderIdOf(readerOfCall(call)).getId();
  // Without a token nothing is lost: the shop sends `orders/updated` afterwards.
  return { kind: context.settings.access_token === undefined ? 'ignored' : 'fetch', event: topic, orderId };
}

/** A relay may drop the header; a payload with the shape of an order is parsed as one. */
function readWithoutTopic(payload: Reader, context: ReadContext): ParsedPayload {
  const order = bare(payload, 'order');
  const isOrder = order.at('line_items').isThere() && order.at('total_price').isThere();
  return isOrder ? normaliseOrder(payload, context) : { kind: 'ignored', event: 'unknown' };
}

/**
 * One parcel of an order. Only this event reports its delivery, but only the order shows whether it was the last parcel, so the
 * order is fetched if possible.
 */
function readFulfillment(fulfillment: Reader, event: string, { settings, timeZone }: ReadContext): ParsedPayload {
  const orderId = fulfillment.at('order_id').getId();
  if (fulfillment.at('shipment_status').findText() !== 'delivered') return { kind: 'ignored', event, orderId };
  if (settings.access_token !== undefined) return { kind: 'fetch', event, orderId };
  const changedAt = findInstant(fulfillment.at('updated_at').findText(), timeZone);
  return { kind: 'change', event, orderId, revision: changedAt && revisionOf(changedAt), status: 'DELIVERED' };
}

/** Webhooks send the bare object, the API wraps it in its name. */
function bare(payload: Reader, name: string): Reader {
  return payload.at(name).isThere() ? payload.at(name) : payload;
}
