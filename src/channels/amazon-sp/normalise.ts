import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { add, compare, type Decimal, negate, subtract, sum, ZERO } from '../../platform/money.ts';
import {
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  type FulfillmentStatus,
  findWord,
  joined,
  type OrderStatus,
  type PaymentStatus,
  placeAt,
  priceOfOne,
  type ReadContext,
  type Reading,
} from '../contract.ts';

type Meaning = { status: OrderStatus; paymentStatus: PaymentStatus; fulfillmentStatus: FulfillmentStatus };

const STATUSES: Record<string, Meaning> = {
  Pending: { status: 'RECEIVED', paymentStatus: 'pending', fulfillmentStatus: 'None' },
  PendingAvailability: { status: 'RECEIVED', paymentStatus: 'pending', fulfillmentStatus: 'None' },
  Unshipped: { status: 'RECEIVED', paymentStatus: 'paid', fulfillmentStatus: 'None' },
  InvoiceUnconfirmed: { status: 'RECEIVED', paymentStatus: 'paid', fulfillmentStatus: 'None' },
  PartiallyShipped: { status: 'DISPATCHED', paymentStatus: 'paid', fulfillmentStatus: 'Partial' },
  Shipped: { status: 'DISPATCHED', paymentStatus: 'paid', fulfillmentStatus: 'Full' },
  Canceled: { status: 'CANCELLED', paymentStatus: 'cancelled', fulfillmentStatus: 'None' },
};

const PAYMENT_METHODS: Record<string, ChannelOrder['paymentMethod']> = {
  COD: 'cash',
  CashOnDelivery: 'cash',
  CVS: 'cash',
  CreditCard: 'credit_card',
  DebitCard: 'debit_card',
  BankTransfer: 'bank_transfer',
  GiftCertificate: 'wallet',
};

/** Where prices are shown without the tax on them. Everywhere else Amazon sells with the tax inside. */
const TAX_ON_TOP = new Set(['USD', 'CAD']);

export function normaliseOrder(payload: Reader, _context: ReadContext): Reading {
  const order = payload.at('payload').isThere() ? payload.at('payload') : payload;
  const id = order.at('AmazonOrderId').getId();
  const word = order.at('OrderStatus').findText();
  const meaning = findWord(STATUSES, word);
  const when = (name: string) => findInstant(order.at(name).findText(), 'UTC');
  const changedAt = when('LastUpdateDate');
  const revision = changedAt && revisionOf(changedAt);
  const items = order.at('OrderItems').list();
  const parts = partsOf(items);
  const given = order.at('OrderTotal', 'Amount').findDecimal();
  // An order is listed before its payment is settled, and until then without a price. It comes again with one.
  const isUnsettled = meaning?.paymentStatus === 'pending';
  const hasPrices = items.length > 0 && items.every((item) => item.at('ItemPrice', 'Amount').isThere());
  if (given === undefined && isUnsettled && !hasPrices) return { kind: 'ignored', event: 'order', orderId: id };
  // Nor does one that was cancelled keep its price.
  if (given === undefined && meaning?.status === 'CANCELLED')
    return { kind: 'change', event: 'order', orderId: id, revision, status: 'CANCELLED', paymentStatus: 'cancelled' };

  const currency =
    order.at('OrderTotal', 'CurrencyCode').findText() ?? items[0]?.at('ItemPrice', 'CurrencyCode').findText();
  const isVatIncluded = isTaxInside(parts, given, currency);
  const isCash = order.at('PaymentMethod').findText() === 'COD';
  const address = order.at('ShippingAddress');
  const buyer = order.at('BuyerInfo');
  const orderType = order.at('OrderType').findText();
  const totalAmount = isUnsettled
    ? (given ?? totalOf(parts, isVatIncluded))
    : order.at('OrderTotal', 'Amount').getDecimal();
  return {
    kind: 'order',
    event: 'order',
    order: {
      id,
      reference: id,
      placedAt: when('PurchaseDate'),
      revision,
      status: meaning?.status,
      paymentStatus: isCash && meaning?.status === 'RECEIVED' ? 'pending' : meaning?.paymentStatus,
      fulfillmentStatus: meaning?.fulfillmentStatus,
      currency,
      totalAmount,
      // Without its items nothing is known of an order's parts.
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
    },
  };
}

type Parts = Record<'subtotal' | 'discountsAmount' | 'vatAmount' | 'deliveryFee' | 'serviceFee', Decimal>;

/** An item's amounts are of all its pieces together. */
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

function totalOf({ subtotal, discountsAmount, vatAmount, deliveryFee, serviceFee }: Parts, isTaxIncluded: boolean) {
  return sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee, isTaxIncluded ? ZERO : vatAmount]);
}

/** No field says it: the way in which the parts make up the total does. */
function isTaxInside(parts: Parts, total: Decimal | undefined, currency: string | undefined): boolean {
  for (const isTaxIncluded of [true, false]) {
    if (total !== undefined && compare(totalOf(parts, isTaxIncluded), total) === 0) return isTaxIncluded;
  }
  return !TAX_ON_TOP.has(currency ?? '');
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
