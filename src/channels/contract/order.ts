import { add, compare, type Decimal, multiply, roundToCurrency, subtract, sum, ZERO } from '../../platform/money.ts';

/** The words that connectors' orders are stored by. */
export type OrderStatus = 'RECEIVED' | 'READY_FOR_PICKUP' | 'DISPATCHED' | 'DELIVERED' | 'CANCELLED';
export type PaymentStatus = 'pending' | 'paid' | 'refunded' | 'failed' | 'cancelled';
export type FulfillmentStatus = 'Full' | 'Partial' | 'None';

export type Party = { name?: string | undefined; phone?: string | undefined; email?: string | undefined };

/** One sold item. Options and toppings are part of it: their names in parentheses, their prices added. */
export type ChannelLine = {
  /** The vendor's id of the product. */
  productId: string;
  /** The vendor's SKU, by which ours is looked for. */
  sku?: string | undefined;
  barcode?: string | undefined;
  name?: string | undefined;
  quantity: Decimal;
  /** Of one, before discounts. */
  unitPrice: Decimal;
};

/** What a payload may leave out. */
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

/** An order as every channel tells it, whatever the vendor calls things. Amounts in major units of the currency. */
export type ChannelOrder = {
  /** The vendor's, digits intact. */
  id: string;
  /** The number people see. */
  reference: string | undefined;
  placedAt: Date | undefined;
  /**
   * Which of two updates is the later one: the vendor's version, or its time of change in microseconds (see `revisionOf`).
   * Nothing where the vendor has neither; then the time we received it counts.
   */
  revision: bigint | undefined;
  /** Nothing where the vendor's word says nothing of it: a new order is RECEIVED, an old one stays as it is. */
  status: OrderStatus | undefined;
  paymentStatus: PaymentStatus | undefined;
  fulfillmentStatus: FulfillmentStatus | undefined;
  /** Nothing where the vendor names none: the organization's. */
  currency: string | undefined;
  /** Zero where the payload does not mention it. */
  totalAmount: Decimal;
  /** Nothing: the sum of the lines. */
  subtotal?: Decimal | undefined;
  /** Positive. */
  discountsAmount: Decimal;
  vatAmount: Decimal;
  deliveryFee: Decimal;
  /** Whatever else is paid: service, packaging, tip. */
  serviceFee: Decimal;
  /** Whether the VAT is part of the lines' prices and fees, or comes on top. */
  isVatIncluded: boolean;
  lines: ChannelLine[];
  /** The vendor's id of the shop or branch that the order is for. */
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
   * The parts that the payload mentions (see `withMentions`). A new order takes all of the above; an order that is stored already
   * takes these and keeps the rest.
   */
  mentioned: ReadonlySet<OrderPart>;
  /** Where the total stands in the payload, or would stand. */
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

/** Vendors round each line: a halala for each of them is no difference. */
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
