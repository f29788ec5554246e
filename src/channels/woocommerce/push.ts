import type { AppSettings, Credentials, OrderStatus, PushedOrder, VendorAnswer, VendorClient } from '../contract.ts';

/** WooCommerce has no status for an order that waits for its rider or is on the way. */
const WORDS: Partial<Record<OrderStatus, string>> = {
  RECEIVED: 'processing',
  DELIVERED: 'completed',
  CANCELLED: 'cancelled',
};

export function credentials({ client_id, client_secret }: AppSettings): Credentials {
  if (client_id === undefined) return { kind: 'missing', setting: 'client_id' };
  if (client_secret === undefined) return { kind: 'missing', setting: 'client_secret' };
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  return { kind: 'headers', headers: { authorization: `Basic ${basic}` } };
}

const pathOf = (id: string) => `/wp-json/wc/v3/orders/${encodeURIComponent(id)}`;

export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  const status = WORDS[order.status];
  if (status === undefined) return false;
  await client.call({ method: 'PUT', path: pathOf(order.id), json: { status } });
  return true;
}

export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  return (await client.call({ method: 'GET', path: pathOf(orderId) })).json;
}

export function probe(client: VendorClient): Promise<VendorAnswer> {
  return client.call({ method: 'GET', path: '/wp-json/wc/v3/orders', query: { per_page: '1', _fields: 'id' } });
}
