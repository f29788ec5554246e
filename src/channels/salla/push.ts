import type { AppSettings, Credentials, OrderStatus, PushedOrder, VendorAnswer, VendorClient } from '../contract.ts';

const SLUGS: Record<OrderStatus, string> = {
  RECEIVED: 'in_progress',
  // The only slug with spaces.
  READY_FOR_PICKUP: 'waiting to receive it',
  DISPATCHED: 'delivering',
  DELIVERED: 'delivered',
  CANCELLED: 'canceled',
};

export function credentials({ access_token }: AppSettings): Credentials {
  if (access_token === undefined) return { kind: 'missing', setting: 'access_token' };
  return { kind: 'headers', headers: { authorization: `Bearer ${access_token}` } };
}

const pathOf = (id: string) => `/admin/v2/orders/${encodeURIComponent(id)}`;

export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  await client.call({
    method: 'POST',
    path: `${pathOf(order.id)}/status`,
    json: { slug: SLUGS[order.status], ...(order.note === undefined ? {} : { note: order.note }) },
    isRepeatable: true,
  });
  return true;
}

export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  return (await client.call({ method: 'GET', path: pathOf(orderId) })).json;
}

export function probe(client: VendorClient): Promise<VendorAnswer> {
  return client.call({ method: 'GET', path: '/admin/v2/store/info' });
}
