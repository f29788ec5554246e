import {
  amountsDiffer,
  type ChannelLine,
  type ChannelOrder,
  linesSubtotal,
  type Reading,
} from '../../channels/contract.ts';
import { revisionOf, Unreadable } from '../../platform/inbound/index.ts';
import { compare, type Decimal, isCurrency, roundToCurrency, toNumber, ZERO } from '../../platform/money.ts';
import type { OrderPlace, Telling } from '../orders/index.ts';
import type { MatchedSku } from '../skus/index.ts';

/** What the order rules need to know of the world beside the payload. */
export type Surroundings = {
  installId: string;
  currency: string;
  receivedAt: Date;
  /** Our branch for a vendor's store, if it names one that we know. */
  placeOf(storeId: string | undefined): OrderPlace;
  /** Our product for a vendor's SKU or barcode, and its SKU in the branch. */
  matchOf(line: ChannelLine, place: OrderPlace): MatchedSku | undefined;
  raw: string;
};

type OrderReading = Extract<Reading, { kind: 'order' }>;
type ChangeReading = Extract<Reading, { kind: 'change' }>;

export const AMOUNTS_DIFFER = {
  code: 'amounts_differ',
  message: "The parts do not add up to the vendor's total, which was taken as it is",
  path: '',
};

export function changeTelling(reading: ChangeReading, receivedAt: Date): Telling {
  return {
    transactionId: reading.orderId,
    revision: safeRevision(reading.revision, receivedAt),
    status: reading.status,
    statusOfPickup: reading.statusOfPickup,
    paymentStatus: reading.paymentStatus,
    fulfillmentStatus: undefined,
    order: undefined,
    place: undefined,
    raw: undefined,
  };
}

/** The order in the words of the interface, and whether its amounts add up. */
export function orderTelling({ order }: OrderReading, around: Surroundings): { telling: Telling; differs: boolean } {
  const currency = currencyOf(order, around.currency);
  const amount = (value: Decimal) => {
    const rounded = roundToCurrency(value, currency);
    return toNumber(compare(rounded, ZERO) < 0 ? ZERO : rounded);
  };
  const place = around.placeOf(order.storeId);
  const products = order.lines.map((line) => toProduct(line, around.matchOf(line, place)));
  const subtotal = order.subtotal ?? linesSubtotal(order.lines);
  return {
    differs: amountsDiffer(order, currency),
    telling: {
      transactionId: order.id,
      revision: safeRevision(order.revision, around.receivedAt),
      status: order.status,
      paymentStatus: order.paymentStatus,
      fulfillmentStatus: order.fulfillmentStatus,
      place,
      raw: around.raw,
      order: {
        source: around.installId,
        source_transaction_id: order.id,
        source_reference: order.reference ?? null,
        source_timestamp: order.placedAt?.toISOString() ?? null,
        destination_reference: order.storeId ?? null,
        fulfillment_method: order.fulfillmentMethod ?? null,
        payment_method: order.paymentMethod ?? null,
        currency,
        total_amount: amount(order.totalAmount),
        subtotal: amount(subtotal),
        discounts_amount: amount(order.discountsAmount),
        vat_amount: amount(order.vatAmount),
        delivery_fee: amount(order.deliveryFee),
        service_fee: amount(order.serviceFee),
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
      },
    },
  };
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

/** Ids and versions of vendors have all kinds of lengths; what orders are compared by is a number. */
function safeRevision(given: bigint | undefined, receivedAt: Date): number {
  const revision = given ?? revisionOf(receivedAt);
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(revision > most ? most : revision < 0n ? 0n : revision);
}
