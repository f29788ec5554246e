import {
  amountsDiffer,
  type ChannelLine,
  type ChannelOrder,
  linesSubtotal,
  type OrderPart,
  type ParsedPayload,
} from '../../channels/contract.ts';
import { revisionOf, Unreadable } from '../../platform/inbound/index.ts';
import { compare, type Decimal, isCurrency, roundToCurrency, toNumber, ZERO } from '../../platform/money.ts';
import type { OrderBranch, OrderUpdate } from '../orders/index.ts';
import type { MatchedSku } from '../skus/index.ts';

/** What an update depends on besides the payload. */
export type UpdateContext = {
  installId: string;
  currency: string;
  receivedAt: Date;
  /** Our branch for a vendor's store, if it names one that we know. */
  placeOf(storeId: string | undefined): OrderBranch;
  /** Our product for a vendor's SKU or barcode, and its SKU in the branch. */
  matchOf(line: ChannelLine, place: OrderBranch): MatchedSku | undefined;
  raw: string;
};

type OrderReading = Extract<ParsedPayload, { kind: 'order' }>;
type ChangeReading = Extract<ParsedPayload, { kind: 'change' }>;

type UpdatedOrder = NonNullable<OrderUpdate['order']>;

/** What each part of a payload's order is stored as. */
const FIELDS: Readonly<Record<Exclude<OrderPart, Word>, readonly (keyof UpdatedOrder)[]>> = {
  reference: ['source_reference'],
  placedAt: ['source_timestamp'],
  currency: ['currency'],
  totalAmount: ['total_amount'],
  subtotal: ['subtotal'],
  discountsAmount: ['discounts_amount'],
  vatAmount: ['vat_amount'],
  deliveryFee: ['delivery_fee'],
  serviceFee: ['service_fee'],
  lines: ['skus', 'products'],
  storeId: ['destination_reference'],
  customerName: ['customer_name'],
  customerPhone: ['customer_phone'],
  customerEmail: ['customer_email'],
  receiverName: ['receiver_name'],
  receiverPhone: ['receiver_phone'],
  shippingAddress: ['shipping_address'],
  comment: ['comment'],
  promisedFor: ['promised_for'],
  isPreorder: ['is_preorder'],
  orderType: ['order_type'],
  transportType: ['transport_type'],
  fulfillmentMethod: ['fulfillment_method'],
  paymentMethod: ['payment_method'],
};

type Word = 'status' | 'paymentStatus' | 'fulfillmentStatus';

export function changeUpdate(reading: ChangeReading, receivedAt: Date): OrderUpdate {
  return {
    transactionId: reading.orderId,
    revision: safeRevision(plausibleRevision(reading.revision, receivedAt), receivedAt),
    status: reading.status,
    statusOfPickup: reading.statusOfPickup,
    paymentStatus: reading.paymentStatus,
    fulfillmentStatus: undefined,
    order: undefined,
    branch: undefined,
    raw: undefined,
  };
}

/** The order with the field names of the API, and whether its amounts differ from its total. */
export function orderUpdate(
  { order }: OrderReading,
  context: UpdateContext,
): { update: OrderUpdate; differs: boolean } {
  const currency = currencyOf(order, context.currency);
  const place = context.placeOf(order.storeId);
  const products = order.lines.map((line) => toProduct(line, context.matchOf(line, place)));
  const subtotal = order.subtotal ?? linesSubtotal(order.lines);
  const amounts = {
    total_amount: order.totalAmount,
    subtotal,
    discounts_amount: order.discountsAmount,
    vat_amount: order.vatAmount,
    delivery_fee: order.deliveryFee,
    service_fee: order.serviceFee,
  };
  const fields: UpdatedOrder = {
    source: context.installId,
    source_transaction_id: order.id,
    source_reference: order.reference ?? null,
    source_timestamp: order.placedAt?.toISOString() ?? null,
    destination_reference: order.storeId ?? null,
    fulfillment_method: order.fulfillmentMethod ?? null,
    payment_method: order.paymentMethod ?? null,
    currency,
    ...mapAmounts(amounts, (amount) => roundToCurrency(amount, currency)),
    skus: products.map((product) => product.sku_id),
    products,
    customer_name: order.customer?.name ?? null,
    customer_phone: order.customer?.phone ?? null,
    customer_email: order.customer?.email ?? null,
    receiver_name: order.receiver?.name ?? null,
    receiver_phone: order.receiver?.phone ?? null,
    shipping_address: order.shippingAddress ?? null,
    order_type: order.orderType ?? null,
    transport_type: order.transportType ?? null,
    comment: order.comment ?? null,
    promised_for: order.promisedFor?.toISOString() ?? null,
    is_preorder: order.isPreorder ?? false,
  };
  const { mentioned } = order;
  const revision = plausibleRevision(order.revision, context.receivedAt);
  // A payload with some of the amounts does not add up by itself, and need not.
  const isWhole = mentioned.has('totalAmount') && (mentioned.has('subtotal') || mentioned.has('lines'));
  const isCurrencyNamed = mentioned.has('currency') && order.currency !== undefined;
  return {
    differs: isWhole && amountsDiffer(order, currency),
    update: {
      transactionId: order.id,
      revision: safeRevision(revision, context.receivedAt),
      isRevisionArrivalTime: revision === undefined,
      ...wordsOf(order, (word) => mentioned.has(word)),
      newOrderStatuses: wordsOf(order, () => true),
      branch: place,
      isPartial: !mentioned.has('totalAmount') || !mentioned.has('lines'),
      isStoreNamed: mentioned.has('storeId'),
      missing: mentioned.has('totalAmount') ? undefined : order.totalPath,
      raw: context.raw,
      order: fields,
      mentioned: mentionedOf(
        isCurrencyNamed ? fields : { ...fields, ...mapAmounts(amounts) },
        mentioned,
        isCurrencyNamed,
      ),
    },
  };
}

type Words = Pick<ChannelOrder, Word>;

function wordsOf({ status, paymentStatus, fulfillmentStatus }: Words, isMeant: (word: Word) => boolean): Words {
  return {
    status: isMeant('status') ? status : undefined,
    paymentStatus: isMeant('paymentStatus') ? paymentStatus : undefined,
    fulfillmentStatus: isMeant('fulfillmentStatus') ? fulfillmentStatus : undefined,
  };
}

function mentionedOf(
  fields: UpdatedOrder,
  mentioned: ReadonlySet<OrderPart>,
  isCurrencyNamed: boolean,
): Partial<UpdatedOrder> {
  const parts = Object.entries(FIELDS) as [keyof typeof FIELDS, readonly (keyof UpdatedOrder)[]][];
  const names = parts
    .filter(([part]) => (part === 'currency' ? isCurrencyNamed : mentioned.has(part)))
    .flatMap(([, stored]) => stored);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function mapAmounts<Name extends string>(
  amounts: Readonly<Record<Name, Decimal>>,
  inCoins: (amount: Decimal) => Decimal = (amount) => amount,
): Record<Name, number> {
  const entries = Object.entries(amounts) as [Name, Decimal][];
  const numbers = entries.map(([name, amount]): [Name, number] => {
    const rounded = inCoins(amount);
    return [name, toNumber(compare(rounded, ZERO) < 0 ? ZERO : rounded)];
  });
  return Object.fromEntries(numbers) as Record<Name, number>;
}

function toProduct(line: ChannelLine, match: MatchedSku | undefined) {
  return {
    product_id: match?.productIvId ?? line.productId,
    sku_id: match?.skuIvId ?? line.sku ?? line.productId,
    name: line.name ?? null,
    quantity: toNumber(line.quantity),
    price: toNumber(line.unitPrice),
  };
}

function currencyOf(order: ChannelOrder, fallback: string): string {
  if (order.currency === undefined) return fallback;
  if (!isCurrency(order.currency))
    throw new Unreadable('unexpected', 'The currency is not one of ISO 4217', 'currency');
  return order.currency.toUpperCase();
}

/** Clocks of vendors are ahead by minutes, and local times taken for UTC by hours. */
const MOST_AHEAD_US = 86_400_000_000n;

/** A change dated in the future is no later than the next one: its order would ignore all that come until then, cancellations among them. */
function plausibleRevision(revision: bigint | undefined, receivedAt: Date): bigint | undefined {
  return revision !== undefined && revision <= revisionOf(receivedAt) + MOST_AHEAD_US ? revision : undefined;
}

/** Revisions of vendors may exceed a safe integer; orders are compared by a number. */
function safeRevision(vendorRevision: bigint | undefined, receivedAt: Date): number {
  const revision = vendorRevision ?? revisionOf(receivedAt);
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(revision > max ? max : revision < 0n ? 0n : revision);
}
