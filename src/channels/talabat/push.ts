import {
  type AppSettings,
  type Credentials,
  clientCredentials,
  type PushedOrder,
  type VendorCall,
  type VendorClient,
} from '../contract.ts';

const TOKEN_LIFE_SECONDS = 1_800;

export function credentials(settings: AppSettings): Credentials {
  return clientCredentials(settings, TOKEN_LIFE_SECONDS, (username, password) => ({
    path: '/v2/login',
    form: { grant_type: 'client_credentials', username, password },
  }));
}

/**
 * The order contains URLs to call (`callbackUrls`). The payload is not signed, so the same calls are sent to the vendor's configured
 * URL instead.
 */
export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  const call = findCall(order);
  if (call === undefined) return false;
  await client.call(call);
  return true;
}

function findCall(order: PushedOrder): VendorCall | undefined {
  const token = encodeURIComponent(order.id);
  const tell = (json: Record<string, unknown>): VendorCall => ({
    method: 'POST',
    path: `/v2/order/status/${token}`,
    json,
  });
  switch (order.status) {
    case 'RECEIVED':
      // The id by which the vendor refers to the order from now on. Its own token is used, so it is known even if this call fails.
      return tell({ status: 'order_accepted', acceptanceTime: acceptanceTimeOf(order), remoteOrderId: order.id });
    case 'READY_FOR_PICKUP':
      return { method: 'POST', path: `/v2/orders/${token}/preparation-completed` };
    case 'DISPATCHED':
      return tell({ status: 'order_picked_up' });
    case 'DELIVERED':
      // Only pickup orders are completed by the merchant; riders report deliveries.
      return order.fulfillmentMethod === 'pickup' ? tell({ status: 'order_picked_up' }) : undefined;
    case 'CANCELLED':
      return tell({
        status: 'order_rejected',
        reason: reasonOf(order.note),
        message: order.note ?? 'Cancelled by the shop',
      });
  }
}

/** The preparation time that the vendor planned. */
function acceptanceTimeOf({ payload }: PushedOrder): string | undefined {
  const planned = [
    payload.at('delivery', 'riderPickupTime'),
    payload.at('pickup', 'pickupTime'),
    payload.at('delivery', 'expectedDeliveryTime'),
    payload.at('createdAt'),
  ];
  return planned.map(({ value }) => value).find((value): value is string => typeof value === 'string' && value !== '');
}

/** The note if it is one of the vendor's reasons, otherwise `TOO_BUSY`: it disables no product and closes no store. */
function reasonOf(note: string | undefined): string {
  const word = note?.trim() ?? '';
  return /^[A-Z]+(?:_[A-Z]+)+$|^CLOSED$/.test(word) ? word : 'TOO_BUSY';
}
