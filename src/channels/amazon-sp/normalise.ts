import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { add, subtract, sum, ZERO } from '../../platform/money.ts';
import {
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findWord,
  joined,
  type ParsedPayload,
  type PartSources,
  placeAt,
  priceOfOne,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';
import { isTaxInside, MEANINGS, type Meaning, PAYMENT_METHODS, type Parts, totalOf } from './meanings.ts';
import { normaliseOrder2026 } from './normalise-2026.ts';

const STATUSES: Record<string, Meaning> = {
  Pending: MEANINGS.pending,
  PendingAvailability: MEANINGS.pending,
  Unshipped: MEANINGS.unshipped,
  InvoiceUnconfirmed: MEANINGS.unshipped,
  PartiallyShipped: MEANINGS.partiallyShipped,
  Shipped: MEANINGS.shipped,
  Canceled: MEANINGS.cancelled,
};

const SOURCES: PartSources = {
  placedAt: ['PurchaseDate'],
  currency: ['OrderTotal.CurrencyCode|OrderItems'],
  totalAmount: ['OrderTotal.Amount'],
  subtotal: ['OrderItems'],
  discountsAmount: ['OrderItems'],
  vatAmount: ['OrderItems'],
  deliveryFee: ['OrderItems'],
  serviceFee: ['OrderItems'],
  lines: ['OrderItems'],
  storeId: ['MarketplaceId'],
  customerName: ['BuyerInfo.BuyerName'],
  customerEmail: ['BuyerInfo.BuyerEmail'],
  customerPhone: ['ShippingAddress.Phone'],
  receiverName: ['ShippingAddress.Name'],
  receiverPhone: ['ShippingAddress.Phone'],
  shippingAddress: ['ShippingAddress'],
  promisedFor: ['LatestDeliveryDate'],
  isPreorder: ['OrderType'],
  orderType: ['OrderType'],
  transportType: ['FulfillmentChannel'],
  fulfillmentMethod: ['IsISPU'],
  paymentMethod: [['PaymentMethod', 'PaymentMethodDetails']],
};

/** An order of either version of the Orders API; v0 returns it in parts, 2026-01-01 completely. */
export function normaliseOrder(payload: Reader, context: ReadContext): ParsedPayload {
  const order = orderIn(payload);
  return order.at('orderId').isThere() ? normaliseOrder2026(order, context) : normaliseOrderV0(order, context);
}

/** Bare, or wrapped as in the responses of the two versions. */
export function orderIn(payload: Reader): Reader {
  const inner = payload.at('payload').isThere() ? payload.at('payload') : payload;
  return inner.at('order', 'orderId').isThere() ? inner.at('order') : inner;
}

function normaliseOrderV0(order: Reader, context: ReadContext): ParsedPayload {
  const id = order.at('AmazonOrderId').getId();
  const word = order.at('OrderStatus').findText();
  const meaning = findWord(STATUSES, word);
  const when = (name: string) => findInstant(order.at(name).findText(), 'UTC');
  const changedAt = when('LastUpdateDate');
  const revision = changedAt && revisionOf(changedAt);
  const items = order.at('OrderItems').list();
  const parts = partsOf(items);
  const given = order.at('OrderTotal', 'Amount').findDecimal();
  // An order is listed without a price before its payment is settled, and again with one afterwards.
  const isUnsettled = meaning?.paymentStatus === 'pending';
  const hasPrices = items.length > 0 && items.every((item) => item.at('ItemPrice', 'Amount').isThere());
  if (given === undefined && isUnsettled && !hasPrices) return { kind: 'ignored', event: 'order', orderId: id };
  // A cancelled order has no price either.
  if (given === undefined && meaning?.status === 'CANCELLED')
    return { kind: 'change', event: 'order', orderId: id, revision, status: 'CANCELLED', paymentStatus: 'cancelled' };

  const currency =
    order.at('OrderTotal', 'CurrencyCode').findText() ?? items[0]?.at('ItemPrice', 'CurrencyCode').findText();
  const isVatIncluded = isTaxInside(parts, given, currency);
  const isCash = order.at('PaymentMethod').findText() === 'COD';
  const address = order.at('ShippingAddress');
  const buyer = order.at('BuyerInfo');
  const orderType = order.at('OrderType').findText();
  const isPriced = given === undefined && isUnsettled;
  const totalAmount = isPriced ? totalOf(parts, isVatIncluded) : totalAt(order, 'OrderTotal.Amount');
  const normalised: Unmarked = {
    id,
    reference: id,
    placedAt: when('PurchaseDate'),
    revision,
    status: meaning?.status,
    paymentStatus: isCash && meaning?.status === 'RECEIVED' ? 'pending' : meaning?.paymentStatus,
    fulfillmentStatus: meaning?.fulfillmentStatus,
    currency,
    totalAmount,
    // Without items the parts of the total are unknown.
    subtotal: items.length === 0 ? totalAmount : parts.subtotal,
    discountsAmount: parts.discountsAmount,
    vatAmount: parts.vatAmount,
    deliveryFee: parts.deliveryFee,
    serviceFee: parts.serviceFee,
    isVatIncluded,
    lines: items.map(toLine),
    storeId: order.at('MarketplaceId').findId(),
    customer: {
      name: buyer.at('BuyerName').findText(),
      email: buyer.at('BuyerEmail').findText(),
      phone: address.at('Phone').findText(),
    },
    receiver: { name: address.at('Name').findText(), phone: address.at('Phone').findText() },
    shippingAddress: shippingAddressOf(address),
    promisedFor: when('LatestDeliveryDate'),
    isPreorder: orderType === 'Preorder',
    orderType,
    transportType: order.at('FulfillmentChannel').findText(),
    fulfillmentMethod: order.at('IsISPU').findFlag() === true ? 'pickup' : 'shipping',
    paymentMethod: paymentMethodOf(order),
  };
  const sources = isPriced ? { ...SOURCES, totalAmount: ['OrderItems'] } : SOURCES;
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, sources, context) };
}

/** The amounts of an item are for its whole quantity. */
function partsOf(items: readonly Reader[]): Parts {
  const total = (...places: string[][]) =>
    sum(items.flatMap((item) => places.map((steps) => item.at(...steps, 'Amount').findDecimal() ?? ZERO)));
  const taxes = total(['ItemTax'], ['ShippingTax'], ['GiftWrapTax'], ['BuyerInfo', 'GiftWrapTax']);
  const discountTaxes = total(['PromotionDiscountTax'], ['ShippingDiscountTax']);
  const wrapping = total(['GiftWrapPrice'], ['BuyerInfo', 'GiftWrapPrice']);
  return {
    subtotal: total(['ItemPrice']),
    discountsAmount: total(['PromotionDiscount'], ['ShippingDiscount']),
    vatAmount: subtract(taxes, discountTaxes),
    deliveryFee: total(['ShippingPrice']),
    serviceFee: subtract(add(wrapping, total(['CODFee'])), total(['CODFeeDiscount'])),
  };
}

function toLine(item: Reader): ChannelLine {
  const quantity = item.at('QuantityOrdered').getDecimal();
  const price = item.at('ItemPrice', 'Amount').findDecimal() ?? ZERO;
  return {
    productId: item.at('ASIN').findId() ?? item.at('OrderItemId').getId(),
    sku: item.at('SellerSKU').findText(),
    name: item.at('Title').findText(),
    quantity,
    unitPrice: priceOfOne(price, quantity),
  };
}

function paymentMethodOf(order: Reader): ChannelOrder['paymentMethod'] {
  return [order.at('PaymentMethod'), ...order.at('PaymentMethodDetails').list()]
    .map((word) => findWord(PAYMENT_METHODS, word.findText()))
    .find((method) => method !== undefined);
}

function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  const place = address.at('ExtendedFields', 'GeoCoordinates');
  return addressOf(
    {
      line1: address.at('AddressLine1').findText(),
      line2: joined([address.at('AddressLine2'), address.at('AddressLine3')], ', '),
      city: address.at('City').findText(),
      region: address.at('StateOrRegion').findText(),
      district: address.at('District').findText(),
      postalCode: address.at('PostalCode').findText(),
      country: address.at('CountryCode').findText(),
    },
    placeAt(place.at('Latitude'), place.at('Longitude')),
  );
}
