import { createHash } from 'node:crypto';
import { type Reader, readerOf } from '../../platform/inbound/index.ts';
import type { AppSettings, Credentials, OrderStatus, PushedOrder, VendorAnswer, VendorClient } from '../contract.ts';
import { versionOf } from './normalise.ts';

/** The API version that this folder parses; without it, Square uses the version of the application. */
const SQUARE_VERSION = '2025-01-23';

export function credentials({ access_token }: AppSettings): Credentials {
  if (access_token === undefined) return { kind: 'missing', setting: 'access_token' };
  return { kind: 'headers', headers: { authorization: `Bearer ${access_token}`, 'square-version': SQUARE_VERSION } };
}

const pathOf = (id: string) => `/v2/orders/${encodeURIComponent(id)}`;

const orderIn = (payload: Reader) => (payload.at('order').isThere() ? payload.at('order') : payload);

/** A refund is an order without lines that names the original order, which is fetched. */
export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  const { json } = await client.call({ method: 'GET', path: pathOf(orderId) });
  const order = orderIn(readerOf(json));
  const source = order.at('returns', 0, 'source_order_id').findId();
  if (source === undefined || source === orderId || order.at('line_items').list().length > 0) return json;
  return (await client.call({ method: 'GET', path: pathOf(source) })).json;
}

const FINAL = new Set(['COMPLETED', 'CANCELED', 'FAILED']);

/** Pickup and delivery have no state for being on the way. */
function stateFor(status: OrderStatus, type: string | undefined): string | undefined {
  if (status === 'DISPATCHED') return type === 'SHIPMENT' ? 'COMPLETED' : undefined;
  return { RECEIVED: 'RESERVED', READY_FOR_PICKUP: 'PREPARED', DELIVERED: 'COMPLETED', CANCELLED: 'CANCELED' }[status];
}

/** An update requires the current version: the order is fetched first. */
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
  // The same update of the same version has the same idempotency key, so it may be repeated after a lost response.
  const key = createHash('sha256')
    .update(JSON.stringify([pushed.id, wanted]))
    .digest('hex');
  await client.call({ method: 'PUT', path, json: { idempotency_key: key, order: wanted } });
  return true;
}

function changeOf(order: Reader, status: OrderStatus): object | undefined {
  const all = order.at('fulfillments').list();
  // An order without fulfilments can only be cancelled; otherwise it is complete when paid.
  if (all.length === 0) return status === 'CANCELLED' ? { state: 'CANCELED' } : undefined;
  const fulfillments = all
    .filter((one) => !FINAL.has(one.at('state').findText() ?? ''))
    .map((one) => ({ uid: one.at('uid').getId(), state: stateFor(status, one.at('type').findText()) }))
    .filter(({ state }) => state !== undefined);
  return fulfillments.length === 0 ? undefined : { fulfillments };
}

export function probe(client: VendorClient): Promise<VendorAnswer> {
  return client.call({ method: 'GET', path: '/v2/locations' });
}
