import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { add, type Decimal, negate, sum, ZERO } from '../../platform/money.ts';
import {
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  type FulfillmentStatus,
  findCharged,
  findPaymentMethod,
  findWord,
  isAbsent,
  joined,
  linesSubtotal,
  type OrderAmounts,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  placeAt,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';

const PAYMENT_STATUSES: Readonly<Record<string, PaymentStatus>> = {
  pending: 'pending',
  authorized: 'pending',
  partially_paid: 'pending',
  paid: 'paid',
  partially_refunded: 'paid',
  refunded: 'refunded',
  voided: 'cancelled',
};

const FULFILLMENT_STATUSES: Readonly<Record<string, FulfillmentStatus>> = {
  fulfilled: 'Full',
  partial: 'Partial',
};

const SOURCES: PartSources = {
  fulfillmentStatus: ['fulfillment_status'],
  reference: ['name', 'order_number'],
  placedAt: ['created_at', 'processed_at'],
  currency: ['currency'],
  totalAmount: ['total_price'],
  subtotal: [['total_line_items_price', 'line_items']],
  discountsAmount: ['total_discounts'],
  vatAmount: ['total_tax'],
  deliveryFee: ['shipping_lines', 'total_shipping_price_set'],
  serviceFee: [['total_tip_received', 'original_total_duties_set', 'original_total_additional_fees_set']],
  lines: ['line_items'],
  storeId: ['location_id'],
  customerName: [
    ['customer.first_name', 'customer.last_name'],
    ['billing_address.first_name', 'billing_address.last_name'],
  ],
  customerPhone: ['customer.phone', 'phone', 'billing_address.phone'],
  customerEmail: ['customer.email', 'email', 'contact_email'],
  receiverName: [['shipping_address.first_name', 'shipping_address.last_name']],
  receiverPhone: ['shipping_address.phone'],
  shippingAddress: ['shipping_address', 'billing_address'],
  comment: ['note'],
  orderType: ['source_name'],
  fulfillmentMethod: ['shipping_lines'],
  paymentMethod: ['payment_gateway_names'],
};

/** Amounts are in the shop's currency; every `..._set` also has the customer's currency. */
export function normaliseOrder(payload: Reader, context: ReadContext): ParsedPayload {
  const { timeZone } = context;
  const order = payload.at('order').isThere() ? payload.at('order') : payload;
  const id = order.at('id').getId();
  const when = (name: string) => findInstant(order.at(name).findText(), timeZone);
  const changedAt = when('updated_at');
  const lines = order.at('line_items').list().map(toLine);
  const amounts = amountsOf(order, lines);
  const shipping = order.at('shipping_address');
  const billing = order.at('billing_address');
  const normalised: Unmarked = {
    id,
    reference: order.at('name').findId() ?? order.at('order_number').findId() ?? id,
    placedAt: when('created_at') ?? when('processed_at'),
    revision: changedAt && revisionOf(changedAt),
    status: statusOf(order),
    paymentStatus: findWord(PAYMENT_STATUSES, order.at('financial_status').findText()),
    fulfillmentStatus: findWord(FULFILLMENT_STATUSES, order.at('fulfillment_status').findText()) ?? 'None',
    currency: order.at('currency').findText(),
    ...amounts,
    lines,
    storeId: order.at('location_id').findId(),
    customer: customerOf(order),
    receiver: { name: nameOf(shipping), phone: shipping.at('phone').findText() },
    shippingAddress: shippingAddressOf(shipping) ?? shippingAddressOf(billing),
    comment: order.at('note').findText(),
    orderType: order.at('source_name').findText(),
    fulfillmentMethod: fulfillmentMethodOf(order),
    paymentMethod: order
      .at('payment_gateway_names')
      .list()
      .map((name) => findPaymentMethod(name.findText()))
      .find((method) => method !== undefined),
  };
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, sourcesOf(order), context) };
}

/** The discounts show whether the shipping amount is before or after its discount. */
function sourcesOf(order: Reader): PartSources {
  if (!isAbsent(order, 'total_discounts')) return SOURCES;
  const { deliveryFee, ...others } = SOURCES;
  return others;
}

/** Only the parcels show a delivery: `fulfilled` means handed to the carrier. */
function statusOf(order: Reader): OrderStatus | undefined {
  if (order.at('cancelled_at').isThere()) return 'CANCELLED';
  const financial = order.at('financial_status').findText();
  const fulfilled = order.at('fulfillment_status').findText();
  if (fulfilled === 'fulfilled') {
    const parcels = order
      .at('fulfillments')
      .list()
      .filter((parcel) => parcel.at('status').findText() !== 'cancelled');
    const isArrived = (parcel: Reader) => parcel.at('shipment_status').findText() === 'delivered';
    return parcels.length > 0 && parcels.every(isArrived) ? 'DELIVERED' : 'DISPATCHED';
  }
  // A payload without parcels must not reset the status.
  if (isAbsent(order, 'fulfillment_status')) return undefined;
  // A refund or a void does not change the fulfilment.
  if (financial === 'refunded' || financial === 'voided') return undefined;
  return findWord(PAYMENT_STATUSES, financial) !== undefined ? 'RECEIVED' : undefined;
}

/**
 * The shipping discount is part of the discounts in most orders but not in all, and tips, duties and other fees may appear again
 * as lines: the total decides.
 */
function amountsOf(order: Reader, lines: readonly ChannelLine[]): OrderAmounts {
  const totalAmount = totalAt(order, 'total_price');
  const subtotal = order.at('total_line_items_price').findDecimal() ?? linesSubtotal(lines);
  const discountsAmount = order.at('total_discounts').findDecimal() ?? ZERO;
  const vatAmount = order.at('total_tax').findDecimal() ?? ZERO;
  const isVatIncluded = order.at('taxes_included').findFlag() ?? false;
  const others = sum([subtotal, negate(discountsAmount), isVatIncluded ? ZERO : vatAmount]);
  const fees = [
    order.at('total_tip_received').findDecimal() ?? ZERO,
    setAt(order, 'original_total_duties_set') ?? ZERO,
    setAt(order, 'original_total_additional_fees_set') ?? ZERO,
  ] as const;
  const readings = shippingsOf(order).map((deliveryFee) => ({
    deliveryFee,
    charged: findCharged(totalAmount, add(others, deliveryFee), fees),
  }));
  const reading = readings.find(({ charged }) => charged !== undefined) ?? readings[0];
  return {
    totalAmount,
    subtotal,
    discountsAmount,
    vatAmount,
    deliveryFee: reading?.deliveryFee ?? ZERO,
    serviceFee: sum(fees.filter((_fee, index) => reading?.charged?.[index] ?? true)),
    isVatIncluded,
  };
}

/** Candidates by preference: before discounts, after them, and the order's own field. */
function shippingsOf(order: Reader): Decimal[] {
  const lines = order
    .at('shipping_lines')
    .list()
    .filter((line) => line.at('is_removed').findFlag() !== true);
  const shipping = setAt(order, 'total_shipping_price_set');
  if (order.at('shipping_lines').list().length === 0) return [shipping ?? ZERO];
  const price = (line: Reader) => line.at('price').findDecimal() ?? ZERO;
  return [
    sum(lines.map(price)),
    sum(lines.map((line) => line.at('discounted_price').findDecimal() ?? price(line))),
    ...(shipping === undefined ? [] : [shipping]),
  ];
}

/** In the shop's currency. */
function setAt(order: Reader, name: string): Decimal | undefined {
  return order.at(name, 'shop_money', 'amount').findDecimal();
}

function toLine(item: Reader): ChannelLine {
  return {
    // A custom item of the point of sale has neither.
    productId: item.at('product_id').findId() ?? item.at('variant_id').findId() ?? item.at('id').getId(),
    sku: item.at('sku').findText(),
    name: item.at('name').findText() ?? item.at('title').findText(),
    quantity: item.at('quantity').getDecimal(),
    unitPrice: item.at('price').findDecimal() ?? ZERO,
  };
}

function customerOf(order: Reader): ChannelOrder['customer'] {
  const customer = order.at('customer');
  const billing = order.at('billing_address');
  return {
    name: nameOf(customer) ?? nameOf(billing),
    phone: customer.at('phone').findText() ?? order.at('phone').findText() ?? billing.at('phone').findText(),
    email: customer.at('email').findText() ?? order.at('email').findText() ?? order.at('contact_email').findText(),
  };
}

const nameOf = (party: Reader) => joined([party.at('first_name'), party.at('last_name')]);

function shippingAddressOf(party: Reader): ChannelOrder['shippingAddress'] {
  return addressOf(
    {
      line1: party.at('address1').findText(),
      line2: party.at('address2').findText(),
      city: party.at('city').findText(),
      region: party.at('province').findText(),
      postalCode: party.at('zip').findText(),
      country: party.at('country_code').findText() ?? party.at('country').findText(),
    },
    placeAt(party.at('latitude'), party.at('longitude')),
  );
}

function fulfillmentMethodOf(order: Reader): ChannelOrder['fulfillmentMethod'] {
  const words = order
    .at('shipping_lines')
    .list()
    .map((line) => `${line.at('delivery_category').findText()} ${line.at('code').findText()}`.toLowerCase());
  if (words.some((word) => /pick-?_? ?up/.test(word))) return 'pickup';
  if (words.some((word) => /local.?delivery/.test(word))) return 'delivery';
  return words.length > 0 ? 'shipping' : undefined;
}
