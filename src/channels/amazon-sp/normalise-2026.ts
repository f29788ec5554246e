import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { type Decimal, sum, ZERO } from '../../platform/money.ts';
import {
  absolute,
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findWord,
  joined,
  linesSubtotal,
  type ParsedPayload,
  type PartSources,
  priceOfOne,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';
import { isTaxInside, MEANINGS, type Meaning, PAYMENT_METHODS, type Parts, totalOf } from './meanings.ts';

const STATUSES: Record<string, Meaning> = {
  PENDING: MEANINGS.pending,
  PENDING_AVAILABILITY: MEANINGS.pending,
  UNSHIPPED: MEANINGS.unshipped,
  PARTIALLY_SHIPPED: MEANINGS.partiallyShipped,
  SHIPPED: MEANINGS.shipped,
  CANCELLED: MEANINGS.cancelled,
};

/** Mapped to the names of v0, so that both versions describe an order alike. */
const FULFILLED_BY: Record<string, string> = { MERCHANT: 'MFN', AMAZON: 'AFN' };

/** Once for the order, or with each item. */
const BREAKDOWNS = ['proceeds.breakdowns|orderItems'];

const SOURCES: PartSources = {
  placedAt: ['createdTime'],
  currency: ['proceeds.grandTotal.currencyCode|orderItems'],
  totalAmount: ['proceeds.grandTotal.amount'],
  subtotal: BREAKDOWNS,
  discountsAmount: BREAKDOWNS,
  vatAmount: BREAKDOWNS,
  deliveryFee: BREAKDOWNS,
  serviceFee: BREAKDOWNS,
  lines: ['orderItems'],
  storeId: ['salesChannel.marketplaceId'],
  customerName: ['buyer.buyerName'],
  customerEmail: ['buyer.buyerEmail'],
  customerPhone: ['recipient.deliveryAddress.phone'],
  receiverName: ['recipient.deliveryAddress.name'],
  receiverPhone: ['recipient.deliveryAddress.phone'],
  shippingAddress: ['recipient.deliveryAddress'],
  comment: ['recipient.deliveryPreference.addressInstruction'],
  promisedFor: ['fulfillment.deliverByWindow.latestDateTime'],
  isPreorder: ['programs'],
  transportType: ['fulfillment.fulfilledBy'],
  fulfillmentMethod: ['programs'],
  paymentMethod: ['payment.paymentExecutions'],
};

/** The shape of `orders_2026-01-01`: items are always included, other parts if `includedData` requested them. */
export function normaliseOrder2026(order: Reader, context: ReadContext): ParsedPayload {
  const id = order.at('orderId').getId();
  const when = (...steps: string[]) => findInstant(order.at(...steps).findText(), 'UTC');
  const changedAt = when('lastUpdatedTime');
  const revision = changedAt && revisionOf(changedAt);
  const fulfillment = order.at('fulfillment');
  const meaning = findWord(STATUSES, fulfillment.at('fulfillmentStatus').findText());
  const items = order.at('orderItems').list();
  const grandTotal = order.at('proceeds', 'grandTotal');
  const given = grandTotal.at('amount').findDecimal();
  // An order has no price before its payment is settled and after it was cancelled.
  const isUnsettled = given === undefined && meaning?.paymentStatus === 'pending';
  const isPriced = items.length > 0 && items.every((item) => findUnitPrice(item) !== undefined);
  if (isUnsettled && !isPriced) return { kind: 'ignored', event: 'order', orderId: id };
  if (given === undefined && meaning?.status === 'CANCELLED')
    return { kind: 'change', event: 'order', orderId: id, revision, status: 'CANCELLED', paymentStatus: 'cancelled' };

  const lines = items.map(toLine);
  const parts = partsOf(order, lines);
  const currency =
    grandTotal.at('currencyCode').findText() ??
    items[0]?.at('product', 'price', 'unitPrice', 'currencyCode').findText();
  const isVatIncluded = isTaxInside(parts, given, currency);
  const payments = order.at('payment', 'paymentExecutions').list();
  const methods = payments.map((payment) => payment.at('paymentMethod').findText());
  const isCash = methods.some((method) => method === 'CashOnDelivery' || method === 'COD');
  const programs = order
    .at('programs')
    .list()
    .map((program) => program.findText());
  const address = order.at('recipient', 'deliveryAddress');
  const phone = address.at('phone').findText();
  const normalised: Unmarked = {
    id,
    reference: id,
    placedAt: when('createdTime'),
    revision,
    status: meaning?.status,
    paymentStatus: isCash && meaning?.status === 'RECEIVED' ? 'pending' : meaning?.paymentStatus,
    fulfillmentStatus: meaning?.fulfillmentStatus,
    currency,
    totalAmount: isUnsettled ? totalOf(parts, isVatIncluded) : totalAt(order, 'proceeds.grandTotal.amount'),
    ...parts,
    isVatIncluded,
    lines,
    storeId: order.at('salesChannel', 'marketplaceId').findId(),
    customer: {
      name: order.at('buyer', 'buyerName').findText(),
      email: order.at('buyer', 'buyerEmail').findText(),
      phone,
    },
    receiver: { name: address.at('name').findText(), phone },
    shippingAddress: shippingAddressOf(address),
    comment: order.at('recipient', 'deliveryPreference', 'addressInstruction').findText(),
    promisedFor: when('fulfillment', 'deliverByWindow', 'latestDateTime'),
    isPreorder: programs.includes('PREORDER'),
    transportType: findWord(FULFILLED_BY, fulfillment.at('fulfilledBy').findText()),
    fulfillmentMethod: programs.includes('IN_STORE_PICK_UP') ? 'pickup' : 'shipping',
    paymentMethod: methods
      .map((method) => findWord(PAYMENT_METHODS, method))
      .find((method): method is NonNullable<ChannelOrder['paymentMethod']> => method !== undefined),
  };
  const sources = isUnsettled ? { ...SOURCES, totalAmount: ['orderItems'] } : SOURCES;
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, sources, context) };
}

function partsOf(order: Reader, lines: readonly ChannelLine[]): Parts {
  const ofOrder = order.at('proceeds', 'breakdowns').list();
  const ofItems = order
    .at('orderItems')
    .list()
    .flatMap((item) => item.at('proceeds', 'breakdowns').list());
  const breakdowns = ofOrder.length > 0 ? ofOrder : ofItems;
  const typed = (type: string) => breakdowns.filter((one) => one.at('type').findText() === type);
  const total = (...types: string[]) =>
    sum(types.flatMap(typed).map((one) => one.at('subtotal', 'amount').findDecimal() ?? ZERO));
  return {
    subtotal: typed('ITEM').length > 0 ? total('ITEM') : linesSubtotal(lines),
    // A reduction of the seller's amount; the sign is not documented.
    discountsAmount: absolute(total('DISCOUNT')),
    vatAmount: total('TAX'),
    deliveryFee: total('SHIPPING'),
    serviceFee: total('GIFT_WRAP', 'COD_FEE', 'DELIVERY_TIP', 'OTHER'),
  };
}

function findUnitPrice(item: Reader): Decimal | undefined {
  return item.at('product', 'price', 'unitPrice', 'amount').findDecimal();
}

function toLine(item: Reader): ChannelLine {
  const quantity = item.at('quantityOrdered').getDecimal();
  const product = item.at('product');
  const sold = item
    .at('proceeds', 'breakdowns')
    .list()
    .filter((one) => one.at('type').findText() === 'ITEM')
    .map((one) => one.at('subtotal', 'amount').findDecimal() ?? ZERO);
  return {
    productId: product.at('asin').findId() ?? item.at('orderItemId').getId(),
    sku: product.at('sellerSku').findText(),
    name: product.at('title').findText(),
    quantity,
    unitPrice: findUnitPrice(item) ?? priceOfOne(sum(sold), quantity),
  };
}

function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  return addressOf({
    line1: address.at('addressLine1').findText(),
    line2: joined([address.at('addressLine2'), address.at('addressLine3')], ', '),
    city: address.at('city').findText() ?? address.at('municipality').findText(),
    region: address.at('stateOrRegion').findText(),
    district: address.at('districtOrCounty').findText(),
    postalCode: address.at('postalCode').findText(),
    country: address.at('countryCode').findText(),
  });
}
