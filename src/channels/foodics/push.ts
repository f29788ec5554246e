import type { AppSettings, Credentials, OrderStatus, PushedOrder, VendorAnswer, VendorClient } from '../contract.ts';

/**
 * An application can set an order to ready, delivered or declined; Foodics refuses the latter once the order is accepted. The call is
 * that of the public API (`PUT /v5/orders/{id}`); it was never tested against Foodics.
 */
const CHANGES: Partial<Record<OrderStatus, object>> = {
  READY_FOR_PICKUP: { delivery_status: 2 },
  DELIVERED: { delivery_status: 5 },
  CANCELLED: { status: 3 },
};

/** The scheme is case-sensitive: `bearer` is refused. */
export function credentials({ access_token }: AppSettings): Credentials {
  if (access_token === undefined) return { kind: 'missing', setting: 'access_token' };
  return { kind: 'headers', headers: { authorization: `Bearer ${access_token}`, accept: 'application/json' } };
}

const pathOf = (id: string) => `/v5/orders/${encodeURIComponent(id)}`;

export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  const json = CHANGES[order.status];
  if (json === undefined) return false;
  await client.call({ method: 'PUT', path: pathOf(order.id), json });
  return true;
}

/** Related objects have to be requested by name. */
const PARTS = [
  'branch',
  'original_order',
  'customer',
  'customer_address',
  'charges.charge',
  'charges.taxes',
  'payments.payment_method',
  'products.product',
  'products.taxes',
  'products.options.modifier_option',
  'products.options.taxes',
  'combos.combo_size.combo',
  'combos.products.product',
  'combos.products.taxes',
  'combos.products.options.modifier_option',
  'combos.products.options.taxes',
].join(',');

export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  return (await client.call({ method: 'GET', path: pathOf(orderId), query: { include: PARTS } })).json;
}

export function probe(client: VendorClient): Promise<VendorAnswer> {
  return client.call({ method: 'GET', path: '/v5/whoami' });
}
