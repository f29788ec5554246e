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
 * The order brings addresses to call (`callbackUrls`). They came in a payload that nothing signs: the same calls are made at the
 * vendor's own address instead.
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
      // The id that the vendor will name the order by from now on: its own, so that it is known whatever becomes of this call.
      return tell({ status: 'order_accepted', acceptanceTime: acceptanceTimeOf(order), remoteOrderId: order.id });
    case 'READY_FOR_PICKUP':
      return { method: 'POST', path: `/v2/orders/${token}/preparation-completed` };
    case 'DISPATCHED':
      return tell({ status: 'order_picked_up' });
    case 'DELIVERED':
      // What a customer fetches is picked up when it is handed over; of a delivery's end the vendor hears from its rider.
      return order.fulfillmentMethod === 'pickup' ? tell({ status: 'order_picked_up' }) : undefined;
    case 'CANCELLED':
      return tell({
        status: 'order_rejected',
        reason: reasonOf(order.note),
        message: order.note ?? 'Cancelled by the shop',
      });
  }
}

/** When the food will be ready: as the vendor planned it itself. */
function acceptanceTimeOf({ payload }: PushedOrder): string | undefined {
  const planned = [
    payload.at('delivery', 'riderPickupTime'),
    payload.at('pickup', 'pickupTime'),
    payload.at('delivery', 'expectedDeliveryTime'),
    payload.at('createdAt'),
  ];
  return planned.map(({ value }) => value).find((value): value is string => typeof value === 'string' && value !== '');
}

/** A note may be one of the vendor's words. `TOO_BUSY` otherwise: it takes no product off the menu and closes no shop. */
function reasonOf(note: string | undefined): string {
  const word = note?.trim() ?? '';
  return /^[A-Z]+(?:_[A-Z]+)+$|^CLOSED$/.test(word) ? word : 'TOO_BUSY';
}
