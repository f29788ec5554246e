import { findUnixInstant, revisionOf } from '../../platform/inbound/index.ts';
import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

/** `order.created`, `order.delivery.updated`, `customer.order.updated`, `application.order.updated`; other events are about the menu and customers. */
const OF_ORDERS = /(?:^|\.)order\./;

export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const body = readerOfCall(call);
  const event = body.at('event').findText() ?? 'order.updated';
  if (!OF_ORDERS.test(event)) return { kind: 'ignored', event };
  const reading = normaliseOrder(body, context);
  if (reading.kind !== 'order' || reading.order.revision !== undefined) return { ...reading, event };
  const sentAt = findUnixInstant(body.at('timestamp').findInteger());
  return { ...reading, event, order: { ...reading.order, revision: sentAt && revisionOf(sentAt) } };
}
