import type { Schemas } from '@dukkan/sdk';
import { readNumber } from '../../../i18n/read-number.ts';
import type { Amounts } from './amounts.ts';
import { addressOf, type OrderValues, type PAYMENT_METHODS, productsOf, promisedOf } from './values.ts';

type NewOrder = Schemas['NewOrder'];
export type PaymentValues = { method: (typeof PAYMENT_METHODS)[number]; status: 'pending' | 'completed' };

/** The source of orders that the shop enters itself. */
const SOURCE = 'manual';

export function newOrderBody(
  values: OrderValues,
  payment: PaymentValues,
  amounts: Amounts,
  { timeZone, branchIvId, currency }: { timeZone: string; branchIvId: string | undefined; currency: string },
): NewOrder {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const products = productsOf(values.lines);
  return {
    source: SOURCE,
    destination: values.branch,
    destination_reference: branchIvId ?? null,
    order_status: 'RECEIVED',
    payment_status: payment.status,
    payment_method: payment.method,
    fulfillment_status: 'None',
    fulfillment_method: orNull(values.fulfillmentMethod) as NewOrder['fulfillment_method'] & {},
    currency,
    customer_name: orNull(values.customerName),
    customer_phone: orNull(values.customerPhone),
    customer_email: orNull(values.customerEmail),
    receiver_name: orNull(values.receiverName),
    receiver_phone: orNull(values.receiverPhone),
    shipping_address: addressOf(values.address),
    promised_for: promisedOf(values.promised, timeZone),
    comment: orNull(values.comment),
    skus: products.map(({ sku_id }) => sku_id),
    products,
    subtotal: amounts.subtotal,
    discounts_amount: readNumber(values.discount) ?? 0,
    delivery_fee: readNumber(values.deliveryFee) ?? 0,
    service_fee: readNumber(values.serviceFee) ?? 0,
    vat_amount: amounts.vat,
    total_amount: amounts.total,
  };
}
