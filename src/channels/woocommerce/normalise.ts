import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { compare, negate, subtract, sum, ZERO } from '../../platform/money.ts';
import {
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findCharged,
  findPaymentMethod,
  findWord,
  isAbsent,
  joined,
  type OrderAmounts,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  priceOfOne,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';

/** Statuses of a cart that was not submitted, or was trashed. */
const NO_ORDER = new Set(['checkout-draft', 'auto-draft', 'trash']);

const STATUSES: Record<string, { status: OrderStatus; paymentStatus: PaymentStatus }> = {
  pending: { status: 'RECEIVED', paymentStatus: 'pending' },
  'on-hold': { status: 'RECEIVED', paymentStatus: 'pending' },
  processing: { status: 'RECEIVED', paymentStatus: 'paid' },
  completed: { status: 'DELIVERED', paymentStatus: 'paid' },
  cancelled: { status: 'CANCELLED', paymentStatus: 'cancelled' },
  refunded: { status: 'CANCELLED', paymentStatus: 'refunded' },
  failed: { status: 'RECEIVED', paymentStatus: 'failed' },
};

const SOURCES: PartSources = {
  reference: ['number'],
  placedAt: ['date_created_gmt|date_created'],
  currency: ['currency'],
  totalAmount: ['total'],
  subtotal: ['line_items'],
  discountsAmount: [['discount_total', 'fee_lines']],
  vatAmount: ['total_tax'],
  deliveryFee: ['shipping_total'],
  serviceFee: ['fee_lines'],
  lines: ['line_items'],
  customerName: [['billing.first_name', 'billing.last_name']],
  customerPhone: ['billing.phone'],
  customerEmail: ['billing.email'],
  receiverName: [['shipping.first_name', 'shipping.last_name']],
  receiverPhone: ['shipping.phone'],
  shippingAddress: ['shipping', 'billing'],
  comment: ['customer_note'],
  fulfillmentMethod: ['shipping_lines'],
  paymentMethod: ['payment_method'],
};

export function normaliseOrder(payload: Reader, context: ReadContext): ParsedPayload {
  const { timeZone } = context;
  // The API returns the bare order, its client libraries wrap it.
  const order = payload.at('data').isThere() ? payload.at('data') : payload;
  const id = order.at('id').getId();
  const word = order.at('status').findText() ?? '';
  if (NO_ORDER.has(word)) return { kind: 'ignored', event: 'order', orderId: id };
  const when = (name: string) =>
    findInstant(order.at(`${name}_gmt`).findText(), 'UTC') ?? findInstant(order.at(name).findText(), timeZone);
  const changedAt = when('date_modified');
  const billing = order.at('billing');
  const shipping = order.at('shipping');
  const items = order.at('line_items').list();
  const statuses = findWord(STATUSES, word);
  const normalised: Unmarked = {
    id,
    reference: order.at('number').findId() ?? id,
    placedAt: when('date_created'),
    revision: changedAt && revisionOf(changedAt),
    status: statuses?.status,
    paymentStatus: paymentStatusOf(order, statuses?.paymentStatus),
    fulfillmentStatus: statuses && (word === 'completed' ? 'Full' : 'None'),
    currency: order.at('currency').findText(),
    ...amountsOf(order, items),
    lines: items.map(toLine),
    customer: {
      name: nameOf(billing),
      phone: billing.at('phone').findText(),
      email: billing.at('email').findText(),
    },
    receiver: { name: nameOf(shipping), phone: shipping.at('phone').findText() },
    shippingAddress: shippingAddressOf(shipping) ?? shippingAddressOf(billing),
    comment: order.at('customer_note').findText(),
    fulfillmentMethod: fulfillmentMethodOf(order),
    paymentMethod: findPaymentMethod(order.at('payment_method').findText()),
  };
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, SOURCES, context) };
}

/** Stored prices exclude tax; `prices_include_tax` only says how they were entered. */
function amountsOf(order: Reader, items: readonly Reader[]): OrderAmounts {
  const amount = (name: string) => order.at(name).findDecimal() ?? ZERO;
  const totalAmount = totalAt(order, 'total');
  const subtotal = sum(items.map((item) => item.at('subtotal').findDecimal() ?? ZERO));
  const [discount, vatAmount, deliveryFee] = [amount('discount_total'), amount('total_tax'), amount('shipping_total')];
  const listed = order
    .at('fee_lines')
    .list()
    .map((fee) => fee.at('total').findDecimal() ?? ZERO);
  const fees = sum(listed.filter(({ units }) => units > 0n));
  // Plugins implement discounts as negative fees.
  const reductions = sum(listed.filter(({ units }) => units < 0n));
  const others = sum([subtotal, negate(discount), vatAmount, deliveryFee]);
  // A store may list a fee that it did not charge: it is dropped if the total adds up without it.
  const [isFeeCharged, isReduced] = findCharged(totalAmount, others, [fees, reductions]) ?? [true, true];
  return {
    totalAmount,
    subtotal,
    discountsAmount: isReduced ? subtract(discount, reductions) : discount,
    vatAmount,
    deliveryFee,
    serviceFee: isFeeCharged ? fees : ZERO,
    isVatIncluded: false,
  };
}

/** With cash on delivery, an order is "processing" before it is paid. */
function paymentStatusOf(order: Reader, byStatus: PaymentStatus | undefined): PaymentStatus | undefined {
  if (byStatus !== 'paid') return byStatus;
  const isCash = findPaymentMethod(order.at('payment_method').findText()) === 'cash';
  if (isCash && order.at('status').findText() === 'processing') return 'pending';
  if (isAbsent(order, 'total')) return byStatus;
  const total = order.at('total').getDecimal();
  const refunds = order
    .at('refunds')
    .list()
    .map((refund) => refund.at('total').findDecimal() ?? ZERO);
  // Refunds are negative. The order is refunded once they cover the payment.
  const left = subtract(total, negate(sum(refunds)));
  return refunds.length > 0 && compare(left, ZERO) <= 0 ? 'refunded' : 'paid';
}

/** `price` is a float quotient (10.799999999999999): the line's subtotal is exact. */
function toLine(item: Reader): ChannelLine {
  const quantity = item.at('quantity').getDecimal();
  const subtotal = item.at('subtotal').findDecimal() ?? ZERO;
  const variation = item.at('variation_id').findId();
  return {
    productId:
      variation !== undefined && variation !== '0'
        ? variation
        : (item.at('product_id').findId() ?? item.at('id').getId()),
    sku: item.at('sku').findText(),
    name: item.at('name').findText(),
    quantity,
    unitPrice: priceOfOne(subtotal, quantity),
  };
}

const nameOf = (party: Reader) => joined([party.at('first_name'), party.at('last_name')]);

function shippingAddressOf(party: Reader): ChannelOrder['shippingAddress'] {
  return addressOf({
    line1: party.at('address_1').findText(),
    line2: party.at('address_2').findText(),
    city: party.at('city').findText(),
    region: party.at('state').findText(),
    postalCode: party.at('postcode').findText(),
    country: party.at('country').findText(),
  });
}

function fulfillmentMethodOf(order: Reader): ChannelOrder['fulfillmentMethod'] {
  const methods = order
    .at('shipping_lines')
    .list()
    .map((line) => line.at('method_id').findText() ?? '');
  if (methods.some((method) => method.includes('pickup'))) return 'pickup';
  return methods.length > 0 ? 'shipping' : undefined;
}
