import { createHash } from 'node:crypto';
import { type Reader, readerOf } from '../../platform/inbound/index.ts';
import type { AppSettings, Credentials, OrderStatus, PushedOrder, VendorClient } from '../contract.ts';
import { versionOf } from './normalise.ts';

/** The shapes that this folder reads are those of this day; without it, those of the day the application was made. */
const SQUARE_VERSION = '2025-01-23';

export function credentials({ access_token }: AppSettings): Credentials {
  if (access_token === undefined) return { kind: 'missing', setting: 'access_token' };
  return { kind: 'headers', headers: { authorization: `Bearer ${access_token}`, 'square-version': SQUARE_VERSION } };
}

const pathOf = (id: string) => `/v2/orders/${encodeURIComponent(id)}`;

const orderIn = (payload: Reader) => (payload.at('order').isThere() ? payload.at('order') : payload);

/** Money given back is an order of its own, without lines, that names the one it was paid for. That one is wanted. */
export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  const { json } = await client.call({ method: 'GET', path: pathOf(orderId) });
  const order = orderIn(readerOf(json));
  const source = order.at('returns', 0, 'source_order_id').findId();
  if (source === undefined || source === orderId || order.at('line_items').list().length > 0) return json;
  return (await client.call({ method: 'GET', path: pathOf(source) })).json;
}

const FINAL = new Set(['COMPLETED', 'CANCELED', 'FAILED']);

/** What is picked up or delivered has no word for being on its way. */
function stateFor(status: OrderStatus, type: string | undefined): string | undefined {
  if (status === 'DISPATCHED') return type === 'SHIPMENT' ? 'COMPLETED' : undefined;
  return { RECEIVED: 'RESERVED', READY_FOR_PICKUP: 'PREPARED', DELIVERED: 'COMPLETED', CANCELLED: 'CANCELED' }[status];
}

/** A change names the version it is made on: the order is read first. */
export async function push(pushed: PushedOrder, client: VendorClient): Promise<boolean> {
  const known = orderIn(pushed.payload);
  if (known.isThere() && changeOf(known, pushed.status) === undefined) return false;
  const path = pathOf(pushed.id);
  const order = orderIn(readerOf((await client.call({ method: 'GET', path })).json));
  const change = changeOf(order, pushed.status);
  if (change === undefined) return false;
  const version = versionOf(order);
  const wanted = {
    location_id: order.at('location_id').findId(),
    ...(version !== undefined && { version: Number(version) }),
    ...change,
  };
  // The same change of the same version is the same request: one whose answer was lost may be made again.
  const key = createHash('sha256')
    .update(JSON.stringify([pushed.id, wanted]))
    .digest('hex');
  await client.call({ method: 'PUT', path, json: { idempotency_key: key, order: wanted } });
  return true;
}

function changeOf(order: Reader, status: OrderStatus): object | undefined {
  const all = order.at('fulfillments').list();
  // A sale over the counter can be called off, and is otherwise over when it is paid.
  if (all.length === 0) return status === 'CANCELLED' ? { state: 'CANCELED' } : undefined;
  const fulfillments = all
    .filter((one) => !FINAL.has(one.at('state').findText() ?? ''))
    .map((one) => ({ uid: one.at('uid').getId(), state: stateFor(status, one.at('type').findText()) }))
    .filter(({ state }) => state !== undefined);
  return fulfillments.length === 0 ? undefined : { fulfillments };
}
