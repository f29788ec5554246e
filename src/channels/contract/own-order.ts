import { findInstant, type Reader, readerOf, revisionOf, Unreadable } from '../../platform/inbound/index.ts';
import { compare, type Decimal, negate, sum, ZERO } from '../../platform/money.ts';
import { ONE } from './amounts.ts';
import { jsonOf, type ParsedPayload, type ReadContext, type StagedCall } from './channel.ts';
import { type PartSources, totalAt, withMentions } from './mentions.ts';
import {
  type ChannelLine,
  type ChannelOrder,
  type FulfillmentStatus,
  linesSubtotal,
  type OrderStatus,
  type PaymentStatus,
} from './order.ts';
import { findWord } from './words.ts';

/** Statuses of Dukkan and common synonyms. An order that waits for payment is received with a pending payment. */
const STATUSES = wordsOf<OrderStatus>({
  RECEIVED: 'received new accepted confirmed processing preparing pending pending_payment awaiting_payment',
  READY_FOR_PICKUP: 'ready ready_for_pickup',
  DISPATCHED: 'dispatched shipped out_for_delivery picked_up',
  DELIVERED: 'delivered completed fulfilled',
  CANCELLED: 'cancelled canceled rejected',
});

const PAYMENT_STATUSES = wordsOf<PaymentStatus>({
  paid: 'completed paid captured',
  pending: 'pending processing authorized',
  refunded: 'refunded',
  failed: 'failed',
  cancelled: 'cancelled canceled',
});

const FULFILLMENT_STATUSES = wordsOf<FulfillmentStatus>({
  Full: 'full fulfilled completed delivered',
  Partial: 'partial partially_fulfilled',
  None: 'none unfulfilled pending',
});

const FULFILLMENT_METHODS = wordsOf<NonNullable<ChannelOrder['fulfillmentMethod']>>({
  delivery: 'delivery',
  pickup: 'pickup',
  shipping: 'shipping',
});

const PAYMENT_METHODS = wordsOf<NonNullable<ChannelOrder['paymentMethod']>>({
  credit_card: 'credit_card',
  debit_card: 'debit_card',
  cash: 'cash',
  bank_transfer: 'bank_transfer',
  wallet: 'wallet',
});

const SOURCES: PartSources = {
  status: ['order_status'],
  fulfillmentStatus: ['fulfillment_status'],
  reference: ['source_reference', 'order_code', 'order_number'],
  placedAt: ['source_timestamp', 'placed_at', 'created_at', 'created'],
  currency: ['currency'],
  totalAmount: ['total_amount'],
  subtotal: ['subtotal|products'],
  discountsAmount: ['discounts_amount'],
  vatAmount: ['vat_amount'],
  deliveryFee: ['delivery_fee'],
  serviceFee: ['service_fee'],
  lines: ['products'],
  storeId: ['destination_reference|destination'],
  customerName: ['customer_name'],
  customerPhone: ['customer_phone'],
  customerEmail: ['customer_email'],
  receiverName: ['receiver_name'],
  receiverPhone: ['receiver_phone'],
  shippingAddress: ['shipping_address'],
  comment: ['comment|notes'],
  promisedFor: ['promised_for'],
  isPreorder: ['is_preorder'],
  orderType: ['order_type'],
  transportType: ['transport_type'],
  fulfillmentMethod: ['fulfillment_method'],
  paymentMethod: ['payment_method'],
};

/** Defaults. */
export type Unsaid = Partial<Pick<ChannelOrder, 'status' | 'paymentStatus' | 'fulfillmentStatus'>>;

/**
 * Parses an order in the shape of `POST /orders`, for senders without a shape of their own: with an id, bare or as `order` beside
 * an event name as in Dukkan's webhooks.
 */
export function readOwnOrder(call: StagedCall, context: ReadContext, unsaid: Unsaid = {}): ParsedPayload {
  const json = jsonOf(call);
  const body = readerOf(json);
  const event = body.at('event').findText() ?? body.at('event_type').findText() ?? 'order';
  if (!/^orders?(?:$|\.)/.test(event)) return { kind: 'ignored', event };
  if (Array.isArray(json) || body.at('orders').isThere())
    throw new Unreadable('unexpected', 'One order a call is taken, not a list of them');
  const order = body.at('order').isThere() ? body.at('order') : body;
  if (event === 'order.deleted') {
    const change = { orderId: idOf(order), revision: revisionIn(order, context), status: 'CANCELLED' } as const;
    return { kind: 'change', event, ...change };
  }
  return { kind: 'order', event, order: toOrder(order, context, unsaid) };
}

function toOrder(order: Reader, context: ReadContext, unsaid: Unsaid): ChannelOrder {
  const text = (name: string) => order.at(name).findText();
  const when = (...names: string[]) => findTime(order, names, context.timeZone);
  const lines = order.at('products').list().map(toLine);
  const word = text('order_status');
  const isUnpaid = /^(?:pending|pending_payment|awaiting_payment)$/.test(plain(word) ?? '');
  const amounts = amountsOf(order);
  const id = idOf(order);
  const normalised = {
    id,
    reference: text('source_reference') ?? text('order_code') ?? text('order_number') ?? id,
    placedAt: when('source_timestamp', 'placed_at', 'created_at', 'created'),
    revision: revisionIn(order, context),
    status: word === undefined ? unsaid.status : findWord(STATUSES, plain(word)),
    paymentStatus:
      findWord(PAYMENT_STATUSES, plain(text('payment_status'))) ?? (isUnpaid ? 'pending' : unsaid.paymentStatus),
    fulfillmentStatus: findWord(FULFILLMENT_STATUSES, plain(text('fulfillment_status'))) ?? unsaid.fulfillmentStatus,
    currency: text('currency')?.toUpperCase(),
    ...amounts,
    isVatIncluded: isVatInside(order, amounts, lines),
    lines,
    storeId: order.at('destination_reference').findId() ?? order.at('destination').findId(),
    customer: { name: text('customer_name'), phone: text('customer_phone'), email: text('customer_email') },
    receiver: { name: text('receiver_name'), phone: text('receiver_phone') },
    shippingAddress: addressOf(order.at('shipping_address')),
    comment: text('comment') ?? text('notes'),
    promisedFor: when('promised_for'),
    isPreorder: order.at('is_preorder').findFlag(),
    orderType: text('order_type'),
    transportType: text('transport_type'),
    fulfillmentMethod: findWord(FULFILLMENT_METHODS, plain(text('fulfillment_method'))),
    paymentMethod: findWord(PAYMENT_METHODS, plain(text('payment_method'))),
  };
  const sources = isUnpaid ? SOURCES : { ...SOURCES, paymentStatus: ['payment_status'] };
  return withMentions(normalised, order, sources, context, { isPlain: true });
}

function idOf(order: Reader): string {
  return order.at('source_transaction_id').findId() ?? order.at('id').getId();
}

/** The version if there is one, otherwise the time of change. */
function revisionIn(order: Reader, { timeZone }: ReadContext): bigint | undefined {
  const version = order.at('version').findInteger();
  if (version !== undefined) return BigInt(version);
  const changedAt = findTime(order, ['updated_at', 'updated'], timeZone);
  return changedAt && revisionOf(changedAt);
}

function findTime(order: Reader, names: string[], timeZone: string): Date | undefined {
  return names.map((name) => findInstant(order.at(name).findText(), timeZone)).find((found) => found !== undefined);
}

type Amounts = Pick<
  ChannelOrder,
  'totalAmount' | 'subtotal' | 'discountsAmount' | 'vatAmount' | 'deliveryFee' | 'serviceFee'
>;

function amountsOf(order: Reader): Amounts {
  const find = (name: string) => positive(order.at(name), order.at(name).findDecimal());
  return {
    totalAmount: positive(order.at('total_amount'), totalAt(order, 'total_amount')),
    subtotal: find('subtotal'),
    discountsAmount: find('discounts_amount') ?? ZERO,
    vatAmount: find('vat_amount') ?? ZERO,
    deliveryFee: find('delivery_fee') ?? ZERO,
    serviceFee: find('service_fee') ?? ZERO,
  };
}

function positive<Found extends Decimal | undefined>(place: Reader, found: Found): Found {
  if (found !== undefined && found.units < 0n)
    throw new Unreadable('unexpected', `${place.path} is below zero`, place.path);
  return found;
}

/** A sender may say it. Otherwise prices include VAT, unless the amounts only add up with VAT on top. */
function isVatInside(order: Reader, amounts: Amounts, lines: ChannelLine[]): boolean {
  const said = order.at('prices_include_vat').findFlag();
  if (said !== undefined) return said;
  const { totalAmount, discountsAmount, vatAmount, deliveryFee, serviceFee } = amounts;
  const subtotal = amounts.subtotal ?? linesSubtotal(lines);
  const onTop = sum([subtotal, negate(discountsAmount), vatAmount, deliveryFee, serviceFee]);
  return compare(vatAmount, ZERO) === 0 || compare(onTop, totalAmount) !== 0;
}

function toLine(product: Reader): ChannelLine {
  const sku = product.at('sku_id').findId();
  return {
    productId: product.at('product_id').findId() ?? sku ?? product.at('product_id').getId(),
    sku,
    barcode: product.at('barcode').findText(),
    name: product.at('name').findText(),
    quantity: positive(product.at('quantity'), product.at('quantity').findDecimal()) ?? ONE,
    unitPrice: positive(product.at('price'), product.at('price').findDecimal()) ?? ZERO,
  };
}

const MAX_ADDRESS_PARTS = 30;

/** Takes fields with scalar values unchanged. */
function addressOf(address: Reader): Record<string, unknown> | undefined {
  const parts = address
    .entries()
    .filter(([name, { value }]) => name !== '__proto__' && ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, MAX_ADDRESS_PARTS)
    .map(([name, part]) => [name, typeof part.value === 'string' ? (part.findText() ?? null) : part.value]);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Ignores case, spaces and dashes. */
function plain(word: string | undefined): string | undefined {
  return word?.toLowerCase().replace(/[\s-]+/g, '_');
}

function wordsOf<Meaning extends string>(words: Record<Meaning, string>): Readonly<Record<string, Meaning>> {
  const pairs = Object.entries<string>(words) as [Meaning, string][];
  return Object.fromEntries(pairs.flatMap(([meaning, list]) => list.split(' ').map((word) => [word, meaning])));
}
