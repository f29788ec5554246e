import { type Reader, readerOf, Unreadable } from '../../platform/inbound/index.ts';
import {
  type AppSettings,
  type Credentials,
  type PushedOrder,
  type VendorAnswer,
  type VendorClient,
  VendorUnavailable,
} from '../contract.ts';

const ADMIN = '/admin/api/2025-01';

/** Statuses of fulfilment orders that cannot be fulfilled; for one on hold the shop returns the reason. */
const NOTHING_LEFT = new Set(['closed', 'cancelled', 'incomplete']);

export function credentials({ access_token }: AppSettings): Credentials {
  if (access_token === undefined) return { kind: 'missing', setting: 'access_token' };
  return { kind: 'headers', headers: { 'x-shopify-access-token': access_token } };
}

const pathOf = (id: string, rest: string) => `${ADMIN}/orders/${encodeURIComponent(id)}${rest}`;

/** A shop accepts dispatch and cancellation. The carrier reports the delivery. */
export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  if (order.status === 'CANCELLED') {
    await client.call({ method: 'POST', path: pathOf(order.id, '/cancel.json'), json: { reason: 'other' } });
    return true;
  }
  if (order.status !== 'DISPATCHED' && order.status !== 'DELIVERED') return false;
  const answer = await client.call({ method: 'GET', path: pathOf(order.id, '/fulfillment_orders.json') });
  const open = openPartsOf(answer.json);
  if (open.length === 0) return false;
  const fulfillment = {
    // Unchanged: a number, or its digits beyond 2^53.
    line_items_by_fulfillment_order: open.map((part) => ({ fulfillment_order_id: part.at('id').value })),
    ...(order.note === undefined ? {} : { message: order.note }),
  };
  await client.call({ method: 'POST', path: `${ADMIN}/fulfillments.json`, json: { fulfillment } });
  return true;
}

function openPartsOf(json: unknown): Reader[] {
  try {
    const parts = readerOf(json).at('fulfillment_orders').list();
    return parts.filter((part) => !NOTHING_LEFT.has(part.at('status').findText() ?? ''));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new VendorUnavailable(`The shop's answer cannot be read: ${error.message}`, false);
  }
}

export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  return (await client.call({ method: 'GET', path: pathOf(orderId, '.json') })).json;
}

export function probe(client: VendorClient): Promise<VendorAnswer> {
  return client.call({ method: 'GET', path: `${ADMIN}/shop.json` });
}
