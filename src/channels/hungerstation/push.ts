import {
  type AppSettings,
  type Credentials,
  clientCredentials,
  MissingCredentials,
  type PushedOrder,
  type VendorClient,
} from '../contract.ts';

/** Every token response says two hours. */
const TOKEN_LIFE_SECONDS = 7_200;

export function credentials(settings: AppSettings): Credentials {
  return clientCredentials(settings, TOKEN_LIFE_SECONDS, (client_id, client_secret) => ({
    path: '/v2/oauth/token',
    form: { grant_type: 'client_credentials', client_id, client_secret },
  }));
}

/** With the vendor's rider only READY_FOR_PICKUP exists, with the merchant's own only DISPATCHED. */
function hasWordFor({ status, payload }: PushedOrder): boolean {
  const transport = payload.at('transport_type').findText()?.toUpperCase();
  if (status === 'READY_FOR_PICKUP') return transport !== 'VENDOR_DELIVERY';
  if (status === 'DISPATCHED') return transport !== 'LOGISTICS_DELIVERY';
  return status === 'CANCELLED';
}

const CANCELLATION_REASONS = ['CLOSED', 'ITEM_UNAVAILABLE', 'TOO_BUSY'];

export async function push(order: PushedOrder, client: VendorClient, settings: AppSettings): Promise<boolean> {
  if (!hasWordFor(order)) return false;
  const chain = settings.chain_id ?? order.payload.at('client', 'chain_id').value;
  if (typeof chain !== 'string' || chain === '') throw new MissingCredentials('chain_id');
  const isCancelled = order.status === 'CANCELLED';
  const items = order.payload
    .at('items')
    .list()
    .map((item) => ({
      _id: item.at('_id').value,
      sku: item.at('sku').value,
      pricing: item.at('pricing').value,
      status: isCancelled ? 'NOT_FOUND' : statusOfItem(item.at('status').findText()),
    }));
  // The vendor accepts three reasons; item-not-available is the one that matches all items not found.
  const reason = CANCELLATION_REASONS.find((word) => word === order.note?.trim().toUpperCase()) ?? 'ITEM_UNAVAILABLE';
  await client.call({
    method: 'PUT',
    path: `/v2/chains/${encodeURIComponent(chain)}/orders/${encodeURIComponent(order.id)}`,
    json: {
      order_id: order.id,
      status: order.status,
      items,
      ...(isCancelled ? { cancellation: { reason, cancelled_by: 'VENDOR' } } : {}),
    },
  });
  return true;
}

/** Items that were not found stay so when the order becomes ready. */
function statusOfItem(said: string | undefined): string {
  return said === 'NOT_FOUND' || said === 'REPLACED' ? said : 'IN_CART';
}
