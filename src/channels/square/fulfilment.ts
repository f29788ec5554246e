import type { Reader } from '../../platform/inbound/index.ts';
import { addressOf, type ChannelOrder, findWord, joined, type OrderStatus } from '../contract.ts';

/** From the earliest status to the final one. */
const STATES = ['PROPOSED', 'RESERVED', 'PREPARED', 'COMPLETED', 'FAILED', 'CANCELED'];

const STATUSES: Record<string, OrderStatus> = {
  PROPOSED: 'RECEIVED',
  RESERVED: 'RECEIVED',
  PREPARED: 'READY_FOR_PICKUP',
  COMPLETED: 'DELIVERED',
  CANCELED: 'CANCELLED',
  FAILED: 'CANCELLED',
};

const METHODS: Record<string, { method: ChannelOrder['fulfillmentMethod']; details: string; at: string }> = {
  PICKUP: { method: 'pickup', details: 'pickup_details', at: 'pickup_at' },
  DELIVERY: { method: 'delivery', details: 'delivery_details', at: 'deliver_at' },
  SHIPMENT: { method: 'shipping', details: 'shipment_details', at: 'expected_shipped_at' },
};

export type Fulfilment = {
  type: string | undefined;
  status: OrderStatus | undefined;
  method: ChannelOrder['fulfillmentMethod'];
  details: Reader;
  note: string | undefined;
  promisedFor: string | undefined;
};

/** An order with several fulfilments has the status of the earliest one; cancelled fulfilments do not count. */
export function fulfilmentOf(order: Reader): Fulfilment | undefined {
  const rank = (one: Reader) => STATES.indexOf(one.at('state').findText() ?? '');
  const [slowest] = order
    .at('fulfillments')
    .list()
    .filter((one) => rank(one) >= 0)
    .sort((one, other) => rank(one) - rank(other));
  if (slowest === undefined) return undefined;
  const type = slowest.at('type').findText();
  const known = findWord(METHODS, type);
  const state = slowest.at('state').findText();
  const details = slowest.at(known?.details ?? 'details');
  return {
    type,
    // COMPLETED means dispatched for a shipment, delivered for pickup and delivery.
    status: state === 'COMPLETED' && type === 'SHIPMENT' ? 'DISPATCHED' : findWord(STATUSES, state),
    method: known?.method,
    details,
    note: (details.at('note').isThere() ? details.at('note') : details.at('shipping_note')).findText(),
    promisedFor: details.at(known?.at ?? '').findText(),
  };
}

export function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  return addressOf({
    line1: address.at('address_line_1').findText(),
    line2: joined([address.at('address_line_2'), address.at('address_line_3')], ', '),
    city: address.at('locality').findText(),
    region: address.at('administrative_district_level_1').findText(),
    district: address.at('sublocality').findText(),
    postalCode: address.at('postal_code').findText(),
    country: address.at('country').findText(),
  });
}
