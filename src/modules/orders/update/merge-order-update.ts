import { findDecimal, roundToCurrency, toNumber } from '../../../platform/money.ts';
import type { Order } from '../order.ts';
import type { OrderPlace } from '../place/build-order.ts';
import type { OrderInput } from '../schema.ts';

const AMOUNTS = [
  'total_amount',
  'subtotal',
  'discounts_amount',
  'vat_amount',
  'delivery_fee',
  'service_fee',
] as const satisfies (keyof OrderInput)[];

/** What a payload mentions replaces what is stored; all else of the order stays as it is. */
export function mergedInput(before: Order, mentioned: Partial<OrderInput>): OrderInput {
  const currency = mentioned.currency ?? before.currency;
  const input = { ...inputOf(before), ...mentioned };
  for (const name of AMOUNTS) {
    const amount = mentioned[name];
    // A payload that names no currency is in the order's own, whose smallest coin the sender of this could not know.
    if (amount !== undefined && amount !== null) input[name] = inCurrency(amount, currency);
  }
  return input;
}

function inCurrency(amount: number, currency: string): number {
  const exact = findDecimal(String(amount));
  return exact === undefined ? amount : toNumber(roundToCurrency(exact, currency));
}

/** A vendor that names no store leaves an order where it is; one that has no branch yet takes the install's. */
export function mergedPlace(before: Order, place: OrderPlace | undefined, isStoreNamed: boolean): OrderPlace {
  const own = { destinationId: before.destination_id, storeName: before.store_name };
  return place === undefined || (!isStoreNamed && before.destination_id !== null) ? own : place;
}

function inputOf(order: Order): OrderInput {
  return {
    source: order.source,
    source_reference: order.source_reference,
    source_transaction_id: order.source_transaction_id,
    source_timestamp: order.source_timestamp?.toISOString() ?? null,
    destination_reference: order.destination_reference,
    order_status: order.order_status,
    fulfillment_status: order.fulfillment_status,
    fulfillment_method: order.fulfillment_method as OrderInput['fulfillment_method'],
    payment_method: order.payment_method as OrderInput['payment_method'],
    currency: order.currency,
    total_amount: order.total_amount,
    subtotal: order.subtotal,
    discounts_amount: order.discounts_amount,
    vat_amount: order.vat_amount,
    delivery_fee: order.delivery_fee,
    service_fee: order.service_fee,
    skus: order.skus,
    products: order.products,
    customer_name: order.customer_name,
    customer_phone: order.customer_phone,
    customer_email: order.customer_email,
    receiver_name: order.receiver_name,
    receiver_phone: order.receiver_phone,
    shipping_address: order.shipping_address,
    order_type: order.order_type,
    transport_type: order.transport_type,
    comment: order.comment,
    promised_for: order.promised_for?.toISOString() ?? null,
    is_preorder: order.is_preorder,
    dispatch_routing: order.dispatch_routing,
    shipping_fulfillment: order.shipping_fulfillment,
  };
}
