import { findInstant, type Reader } from '../../platform/inbound/index.ts';
import { compare, type Decimal, multiply, subtract, ZERO } from '../../platform/money.ts';
import {
  absolute,
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findWord,
  foldOptions,
  linesSubtotal,
  ONE,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  placeAt,
  priceOfOne,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';

const STATUSES: Readonly<Record<string, OrderStatus>> = {
  N: 'RECEIVED',
  A: 'RECEIVED',
  O: 'DISPATCHED',
  D: 'DELIVERED',
  C: 'CANCELLED',
  R: 'CANCELLED',
  T: 'CANCELLED',
};

export function findStatus(payload: Reader): OrderStatus | undefined {
  return findWord(STATUSES, payload.at('status').findText()?.toUpperCase());
}

type Payment = { paymentStatus: PaymentStatus | undefined; paymentMethod: ChannelOrder['paymentMethod'] };

/** Cash and the rider's terminal are paid on delivery, other methods in the app. Written with dashes or underscores. */
export function findPayment(payload: Reader): Payment {
  const word = payload.at('payment_method').findText()?.toUpperCase().replaceAll('_', '-') ?? '';
  const cardOf = (text: string) =>
    text.includes('MADA') ? 'debit_card' : text.includes('CREDIT') ? 'credit_card' : undefined;
  if (word === 'CASH') return { paymentStatus: 'pending', paymentMethod: 'cash' };
  if (word.startsWith('POS')) return { paymentStatus: 'pending', paymentMethod: cardOf(word) };
  if (word.startsWith('APPLE-PAY')) return { paymentStatus: 'paid', paymentMethod: 'wallet' };
  if (word === 'CREDITCARD' || word.startsWith('PAYFORT')) {
    return { paymentStatus: 'paid', paymentMethod: cardOf(word) };
  }
  return { paymentStatus: undefined, paymentMethod: undefined };
}

const SOURCES: PartSources = {
  placedAt: ['created_at'],
  totalAmount: ['final_price'],
  subtotal: [['price', 'products']],
  discountsAmount: [['price', 'products', 'offer']],
  // The sum decides how a product's price is interpreted.
  lines: [['products', 'price']],
  storeId: ['branch_id'],
  customerName: ['customer_name'],
  customerPhone: ['phone_number'],
  shippingAddress: ['delivery_address'],
  comment: ['notes'],
  paymentMethod: ['payment_method'],
};

export function normaliseOrder(order: Reader, context: ReadContext): ParsedPayload {
  const id = (order.at('jahez_id').isThere() ? order.at('jahez_id') : order.at('jahezOrderId')).getId();
  const status = order.at('status').isThere() ? findStatus(order) : 'RECEIVED';
  const totalAmount = totalAt(order, 'final_price');
  const price = order.at('price').findDecimal();
  const lines = linesOf(order, price);
  const subtotal = price ?? linesSubtotal(lines);
  const normalised: Unmarked = {
    id,
    reference: id,
    placedAt: findInstant(order.at('created_at').findText(), context.timeZone),
    revision: undefined,
    status,
    ...findPayment(order),
    fulfillmentStatus: status && (status === 'DELIVERED' ? 'Full' : 'None'),
    currency: undefined,
    totalAmount,
    subtotal,
    discountsAmount: discountOf(order, subtotal, totalAmount),
    vatAmount: ZERO,
    deliveryFee: ZERO,
    serviceFee: ZERO,
    isVatIncluded: true,
    lines,
    storeId: order.at('branch_id').findId(),
    customer: { name: order.at('customer_name').findText(), phone: order.at('phone_number').findText() },
    shippingAddress: shippingAddressOf(order.at('delivery_address')),
    comment: order.at('notes').findText(),
    // The vendor's riders deliver; there are no pickup orders.
    fulfillmentMethod: 'delivery',
  };
  const event = order.at('event').findText() ?? 'order.create';
  return { kind: 'order', event, order: withMentions(normalised, order, SOURCES, context) };
}

const HUNDRED: Decimal = { units: 100n, scale: 0 };

/** `offer.type` is undocumented: an amount, or a percentage if only that yields the total. */
function discountOf(order: Reader, subtotal: Decimal, totalAmount: Decimal): Decimal {
  const given = subtract(subtotal, totalAmount);
  const offer = order.at('offer', 'amount').findDecimal();
  if (offer === undefined) return given.units > 0n ? given : ZERO;
  const amount = absolute(offer);
  const isPercentage = compare(multiply(subtotal, amount), multiply(given, HUNDRED)) === 0;
  return isPercentage && compare(amount, given) !== 0 ? given : amount;
}

/**
 * Whether a product's price is per piece or per line, and before or after its discount, is not documented: uses the interpretation
 * under which the lines add up to the order's price, otherwise the price of one before discounts.
 */
function linesOf(order: Reader, price: Decimal | undefined): ChannelLine[] {
  const products = order.at('products').list();
  const readings = (['original_price', 'final_price'] as const).flatMap((name) =>
    [false, true].map((isOfLine) => ({ name, isOfLine })),
  );
  for (const reading of readings) {
    const lines = products.map((product) => toLine(product, reading));
    if (price === undefined || compare(linesSubtotal(lines), price) === 0) return lines;
  }
  return products.map((product) => toLine(product, { name: 'original_price', isOfLine: false }));
}

type PriceReading = { name: 'original_price' | 'final_price'; isOfLine: boolean };

function toLine(product: Reader, { name, isOfLine }: PriceReading): ChannelLine {
  const quantity = product.at('quantity').findDecimal() ?? ONE;
  const priceOf = (thing: Reader) =>
    thing.at(name).findDecimal() ??
    thing.at('original_price').findDecimal() ??
    thing.at('final_price').findDecimal() ??
    ZERO;
  const options = product
    .at('modifiers')
    .list()
    .flatMap((modifier) => modifier.at('options').list())
    .map((option) => ({
      name: option.at('name').findText() ?? option.at('id').findId(),
      quantity: option.at('quantity').findDecimal() ?? ONE,
      unitPrice: priceOf(option),
    }));
  const id = product.at('product_id').getId();
  const folded = foldOptions({ name: product.at('name').findText() ?? id, unitPrice: priceOf(product) }, options);
  return {
    productId: id,
    // The merchant uploads the menu: its ids are the merchant's.
    sku: id,
    name: folded.name,
    quantity,
    unitPrice: isOfLine ? priceOfOne(folded.unitPrice, quantity) : folded.unitPrice,
  };
}

function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  const isText = typeof address.value === 'string';
  return addressOf(
    {
      line1: (isText ? address : address.at('address')).findText(),
      city: address.at('city').findText(),
      district: address.at('district').findText(),
    },
    placeAt(address.at('geolocation', 'latitude'), address.at('geolocation', 'longitude')),
  );
}
