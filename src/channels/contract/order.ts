import { add, compare, type Decimal, multiply, roundToCurrency, subtract, sum, ZERO } from '../../platform/money.ts';

/** Statuses of channel orders as they are stored. */
export type OrderStatus = 'RECEIVED' | 'READY_FOR_PICKUP' | 'DISPATCHED' | 'DELIVERED' | 'CANCELLED';
export type PaymentStatus = 'pending' | 'paid' | 'refunded' | 'failed' | 'cancelled';
export type FulfillmentStatus = 'Full' | 'Partial' | 'None';

export type Party = { name?: string | undefined; phone?: string | undefined; email?: string | undefined };

/** One sold item with its options: their names in parentheses, their prices added. */
export type ChannelLine = {
  /** The vendor's id of the product. */
  productId: string;
  /** The vendor's SKU, used to find ours. */
  sku?: string | undefined;
  barcode?: string | undefined;
  name?: string | undefined;
  quantity: Decimal;
  /** Before discounts. */
  unitPrice: Decimal;
};

/** Parts that a payload may omit. */
export type OrderPart =
  | 'status'
  | 'paymentStatus'
  | 'fulfillmentStatus'
  | 'reference'
  | 'placedAt'
  | 'currency'
  | 'totalAmount'
  | 'subtotal'
  | 'discountsAmount'
  | 'vatAmount'
  | 'deliveryFee'
  | 'serviceFee'
  | 'lines'
  | 'storeId'
  | 'customerName'
  | 'customerPhone'
  | 'customerEmail'
  | 'receiverName'
  | 'receiverPhone'
  | 'shippingAddress'
  | 'comment'
  | 'promisedFor'
  | 'isPreorder'
  | 'orderType'
  | 'transportType'
  | 'fulfillmentMethod'
  | 'paymentMethod';

/** An order in the common form of all channels. Amounts are in major units of the currency. */
export type ChannelOrder = {
  /** The vendor's, digits intact. */
  id: string;
  /** The number that people see. */
  reference: string | undefined;
  placedAt: Date | undefined;
  /**
   * Orders updates: the vendor's version, or its time of change in microseconds (see `revisionOf`). Undefined if the vendor has
   * neither; then the time of receipt counts.
   */
  revision: bigint | undefined;
  /** Undefined if the vendor's status has no counterpart: a new order is RECEIVED, a stored one keeps its status. */
  status: OrderStatus | undefined;
  paymentStatus: PaymentStatus | undefined;
  fulfillmentStatus: FulfillmentStatus | undefined;
  /** Default: the organization's currency. */
  currency: string | undefined;
  /** Zero if the payload does not mention it. */
  totalAmount: Decimal;
  /** Default: the sum of the lines. */
  subtotal?: Decimal | undefined;
  /** Positive. */
  discountsAmount: Decimal;
  vatAmount: Decimal;
  deliveryFee: Decimal;
  /** Other charges: service, packaging, tip. */
  serviceFee: Decimal;
  /** Whether prices and fees include VAT. */
  isVatIncluded: boolean;
  lines: ChannelLine[];
  /** The vendor's id of the store. */
  storeId?: string | undefined;
  customer?: Party | undefined;
  receiver?: Party | undefined;
  shippingAddress?: Record<string, unknown> | undefined;
  comment?: string | undefined;
  promisedFor?: Date | undefined;
  isPreorder?: boolean | undefined;
  orderType?: string | undefined;
  transportType?: string | undefined;
  fulfillmentMethod?: 'delivery' | 'pickup' | 'shipping' | undefined;
  paymentMethod?: 'credit_card' | 'debit_card' | 'cash' | 'bank_transfer' | 'wallet' | undefined;
  /**
   * The parts that the payload mentions (see `withMentions`). A new order takes all fields; a stored order takes the mentioned parts
   * and keeps the rest.
   */
  mentioned: ReadonlySet<OrderPart>;
  /** The path of the total in the payload, present or not. */
  totalPath: string;
};

export function linesSubtotal(lines: readonly ChannelLine[]): Decimal {
  return sum(lines.map(({ quantity, unitPrice }) => multiply(quantity, unitPrice)));
}

/** The amounts of an order that have to add up to its total. */
export type AddedUp = Pick<
  ChannelOrder,
  | 'totalAmount'
  | 'subtotal'
  | 'discountsAmount'
  | 'vatAmount'
  | 'deliveryFee'
  | 'serviceFee'
  | 'isVatIncluded'
  | 'lines'
>;

/** The same without the lines. */
export type OrderAmounts = Omit<AddedUp, 'lines'>;

/** Vendors round each line: a minor unit per line is tolerated. */
export function amountsDiffer(order: AddedUp, currency: string): boolean {
  const subtotal = order.subtotal ?? linesSubtotal(order.lines);
  const fees = add(order.deliveryFee, order.serviceFee);
  const vat = order.isVatIncluded ? ZERO : order.vatAmount;
  const expected = add(subtract(subtotal, order.discountsAmount), add(fees, vat));
  const difference = subtract(roundToCurrency(expected, currency), roundToCurrency(order.totalAmount, currency));
  const tolerance: Decimal = {
    units: BigInt(Math.max(1, order.lines.length)),
    scale: roundToCurrency(ZERO, currency).scale,
  };
  return compare(difference, tolerance) > 0 || compare(difference, { ...tolerance, units: -tolerance.units }) < 0;
}
