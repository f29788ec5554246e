import {
  type AppSettings,
  type Credentials,
  clientCredentials,
  type PushedOrder,
  type VendorClient,
} from '../contract.ts';

export const PUBLIC_HOST = 'https://api.uber.com';
export const PUBLIC_LOGIN = 'https://login.uber.com';

const TOKEN_LIFE_SECONDS = 3_600;

/** The public API has a separate token host; any other base URL serves its tokens itself. */
export function credentials(settings: AppSettings): Credentials {
  const { api_base_url } = settings;
  const isPublic = !api_base_url || originOf(api_base_url) === PUBLIC_HOST;
  return clientCredentials(settings, TOKEN_LIFE_SECONDS, (client_id, client_secret) => ({
    path: '/oauth/v2/token',
    form: { grant_type: 'client_credentials', client_id, client_secret, scope: 'eats.order' },
    ...(isPublic ? { baseUrl: PUBLIC_LOGIN } : {}),
  }));
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  return (await client.call({ method: 'GET', path: `/v2/eats/order/${encodeURIComponent(orderId)}` })).json;
}

/** The merchant accepts or denies an order; couriers report everything after that. */
export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  const path = `/v1/eats/orders/${encodeURIComponent(order.id)}`;
  if (order.status === 'RECEIVED') {
    await client.call({
      method: 'POST',
      path: `${path}/accept_pos_order`,
      json: { reason: order.note ?? 'Accepted', external_reference_id: order.ownId },
    });
    return true;
  }
  if (order.status === 'CANCELLED') {
    await client.call({
      method: 'POST',
      path: `${path}/deny_pos_order`,
      json: { reason: { explanation: order.note ?? 'Denied by the shop', code: 'OTHER' } },
    });
    return true;
  }
  return false;
}
