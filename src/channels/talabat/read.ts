import { Unreadable } from '../../platform/inbound/index.ts';
import {
  findWord,
  type OrderStatus,
  type ParsedPayload,
  type ReadContext,
  readerOfCall,
  type StagedCall,
} from '../contract.ts';
import { normaliseOrder } from './normalise.ts';

const ORDER = /^order\/([^/]+)$/;
const ORDER_STATUS = /^remoteId\/([^/]+)\/remoteOrder\/([^/]+)\/posOrderStatus$/i;

const STATUSES: Readonly<Record<string, { status: OrderStatus; statusOfPickup?: OrderStatus }>> = {
  ORDER_ACCEPTED: { status: 'RECEIVED' },
  ORDER_PICKED_UP: { status: 'DISPATCHED', statusOfPickup: 'DELIVERED' },
  ORDER_CANCELLED: { status: 'CANCELLED' },
  ORDER_REJECTED: { status: 'CANCELLED' },
};

/** The path below the ingest URL names the event. Others are about menus, not orders. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const [, shop, named] = ORDER_STATUS.exec(call.path) ?? [];
  if (shop !== undefined && named !== undefined) {
    return readStatus(call, context, { remoteId: partOfPath(shop), orderId: partOfPath(named) });
  }
  const remoteId = ORDER.exec(call.path)?.[1];
  if (remoteId === undefined && call.path !== '') return { kind: 'ignored', event: call.path.slice(0, 100) };
  return normaliseOrder(readerOfCall(call), context, remoteId === undefined ? undefined : partOfPath(remoteId));
}

/**
 * The order is identified by the id that we sent when accepting it, which is the order's own token (see push.ts): no lookup is needed,
 * and an order that was never accepted has the same id.
 */
function readStatus(
  call: StagedCall,
  context: ReadContext,
  { remoteId, orderId }: { remoteId: string; orderId: string },
): ParsedPayload {
  const payload = readerOfCall(call);
  const word = payload.at('status').findText()?.toUpperCase() ?? '';
  const found = findWord(STATUSES, word);
  const event = word === '' ? 'posOrderStatus' : word;
  const updated = payload.at('updatedOrder');
  if (word === 'PRODUCT_ORDER_MODIFICATION_SUCCESSFUL' && updated.isThere()) {
    const reading = normaliseOrder(updated, context, remoteId);
    // Changed products, without a status.
    return reading.kind === 'order' ? { ...reading, event, order: { ...reading.order, status: undefined } } : reading;
  }
  // Waiting riders and failed replacements do not change the status.
  if (found === undefined) return { kind: 'ignored', event, orderId };
  return { kind: 'change', event, orderId, revision: undefined, ...found };
}

const MAX_ID_CHARACTERS = 200;

function partOfPath(part: string): string {
  try {
    const id = decodeURIComponent(part).replaceAll('\u0000', '');
    if (id !== '' && id.length <= MAX_ID_CHARACTERS) return id;
  } catch {
    // Invalid percent-encoding: Unreadable, as below.
  }
  throw new Unreadable('unexpected', 'The path does not name an order', 'path');
}
