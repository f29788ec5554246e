import type { AppSettings, Credentials, PushedOrder, VendorAnswer, VendorCall, VendorClient } from '../contract.ts';
import { VendorRefused } from '../contract.ts';

export function credentials({ access_token }: AppSettings): Credentials {
  if (access_token === undefined) return { kind: 'missing', setting: 'access_token' };
  return { kind: 'headers', headers: { authorization: `Bearer ${access_token}` } };
}

/**
 * The URL of a store's API ends in `/rest` or `/rest/<store view>`. If the store's own URL was configured instead, a call that is
 * not found is repeated under `/rest`.
 */
export async function callShop(client: VendorClient, call: VendorCall, settings: AppSettings): Promise<VendorAnswer> {
  const underRest = { ...call, path: `/rest${call.path}` };
  const isComplete = /\/rest(\/|$)/.test(settings.api_base_url ?? '');
  try {
    const answer = await client.call(call);
    // The storefront answers any URL with a page.
    return answer.json === undefined && call.method === 'GET' && !isComplete ? await client.call(underRest) : answer;
  } catch (error) {
    if (isComplete || !(error instanceof VendorRefused) || !isLost(error.vendorStatus)) throw error;
    return await client.call(underRest);
  }
}

/** Redirected, not found or method not allowed: nothing was carried out. */
const isLost = (status: number) => status < 400 || status === 404 || status === 405;

/** Ships all remaining items of an order, or marks it ready for pickup. */
export async function push(order: PushedOrder, client: VendorClient, settings: AppSettings): Promise<boolean> {
  if (order.status === 'DISPATCHED') {
    const comment = { comment: order.note, is_visible_on_front: 0 };
    const path = `/V1/order/${encodeURIComponent(order.id)}/ship`;
    const json = order.note === undefined ? { notify: false } : { notify: false, appendComment: true, comment };
    await callShop(client, { method: 'POST', path, json }, settings);
    return true;
  }
  if (order.status === 'READY_FOR_PICKUP' && order.fulfillmentMethod === 'pickup') {
    const path = '/V1/order/notify-orders-are-ready-for-pickup';
    const orderIds = [/^\d{1,15}$/.test(order.id) ? Number(order.id) : order.id];
    const { json } = await callShop(client, { method: 'POST', path, json: { orderIds } }, settings);
    if ((json as { successful?: unknown } | undefined)?.successful === false) {
      throw new VendorRefused(200, 'The shop could not mark the order as ready for pickup');
    }
    return true;
  }
  return false;
}

export async function fetchOrder(orderId: string, client: VendorClient, settings: AppSettings): Promise<unknown> {
  const path = `/V1/orders/${encodeURIComponent(orderId)}`;
  return (await callShop(client, { method: 'GET', path }, settings)).json;
}

export function probe(client: VendorClient, settings: AppSettings): Promise<VendorAnswer> {
  const query = { 'searchCriteria[pageSize]': '1', fields: 'total_count' };
  return callShop(client, { method: 'GET', path: '/V1/orders', query }, settings);
}
