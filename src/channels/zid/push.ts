import type { AppSettings, Credentials, OrderStatus, PushedOrder, VendorAnswer, VendorClient } from '../contract.ts';
import { orderIn } from './normalise.ts';

const WORDS: Record<OrderStatus, string> = {
  RECEIVED: 'preparing',
  READY_FOR_PICKUP: 'ready',
  DISPATCHED: 'indelivery',
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
};

/** Two tokens: the partner's and the store's. */
export function credentials({ access_token, client_secret }: AppSettings): Credentials {
  if (client_secret === undefined) return { kind: 'missing', setting: 'client_secret' };
  if (access_token === undefined) return { kind: 'missing', setting: 'access_token' };
  return {
    kind: 'headers',
    headers: { authorization: `Bearer ${client_secret}`, 'x-manager-token': access_token },
  };
}

const pathOf = (id: string) => `/v1/managers/store/orders/${encodeURIComponent(id)}`;

export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  const address = orderIn(order.payload).at('inventory_address', 'id').value;
  await client.call({
    method: 'POST',
    path: `${pathOf(order.id)}/change-order-status`,
    json: {
      order_status: WORDS[order.status],
      // Carriers need the pickup address.
      ...(order.status === 'READY_FOR_PICKUP' && typeof address === 'string' ? { inventory_address_id: address } : {}),
    },
    isRepeatable: true,
  });
  return true;
}

export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  return (await client.call({ method: 'GET', path: `${pathOf(orderId)}/view` })).json;
}

export function probe(client: VendorClient): Promise<VendorAnswer> {
  return client.call({ method: 'GET', path: '/v1/managers/account/profile' });
}
