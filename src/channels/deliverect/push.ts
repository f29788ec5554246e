import {
  type AppSettings,
  bearerOf,
  type Credentials,
  type OrderStatus,
  type PushedOrder,
  type VendorClient,
} from '../contract.ts';

const CODES: Record<OrderStatus, number> = {
  RECEIVED: 20,
  READY_FOR_PICKUP: 70,
  DISPATCHED: 80,
  DELIVERED: 90,
  CANCELLED: 110,
};

const TOKEN_LIFE_SECONDS = 3_600;

/** A given access token, or one fetched with the client credentials. */
export function credentials({ access_token, client_id, client_secret }: AppSettings): Credentials {
  if (access_token !== undefined) return { kind: 'headers', headers: { authorization: `Bearer ${access_token}` } };
  if (client_id === undefined) return { kind: 'missing', setting: 'access_token' };
  if (client_secret === undefined) return { kind: 'missing', setting: 'client_secret' };
  return {
    kind: 'token',
    request: {
      method: 'POST',
      path: '/oauth/token',
      json: { client_id, client_secret, audience: 'https://api.deliverect.com', grant_type: 'token' },
      isRepeatable: true,
    },
    read: bearerOf(TOKEN_LIFE_SECONDS),
  };
}

export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  await client.call({
    method: 'POST',
    path: `/orderStatus/${encodeURIComponent(order.id)}`,
    json: { orderId: order.id, status: CODES[order.status], ...(order.note ? { reason: order.note } : {}) },
    // Sets the status: idempotent.
    isRepeatable: true,
  });
  return true;
}
