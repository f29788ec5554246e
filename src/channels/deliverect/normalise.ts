import { findInstant, type Reader, revisionOf, Unreadable } from '../../platform/inbound/index.ts';
import { type Decimal, negate, sum, ZERO } from '../../platform/money.ts';
import {
  absolute,
  type ChannelLine,
  type ChannelOrder,
  findCharged,
  findStoreId,
  foldOptions,
  isAbsent,
  type LineOption,
  linesSubtotal,
  ONE,
  type OrderAmounts,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';
import { shippingAddressOf } from './address.ts';

const CODES: Record<OrderStatus, readonly number[]> = {
  RECEIVED: [1, 2, 3, 4, 10, 20, 25, 40, 50, 60],
  READY_FOR_PICKUP: [70],
  DISPATCHED: [80, 87, 89],
  DELIVERED: [90, 95],
  CANCELLED: [35, 100, 110, 115],
};

const STATUSES: ReadonlyMap<number, OrderStatus> = new Map(
  Object.entries(CODES).flatMap(([status, codes]) => codes.map((code) => [code, status as OrderStatus])),
);

/** Courier codes (81 to 85), failures and unknown codes do not change the status. */
export function findStatus(code: number | undefined): OrderStatus | undefined {
  return code === undefined ? undefined : STATUSES.get(code);
}

const CANCEL = 100;

/** An order that a channel submits has no id of Deliverect yet. */
export function idOf(payload: Reader): string {
  return (
    payload.at('_id').findId() ??
    payload.at('orderId').findId() ??
    payload.at('channelOrderId').findId() ??
    payload.at('_id').getId()
  );
}

const TYPES: ReadonlyMap<number, { orderType: string; fulfillmentMethod: ChannelOrder['fulfillmentMethod'] }> = new Map(
  [
    [1, { orderType: 'pickup', fulfillmentMethod: 'pickup' }],
    [2, { orderType: 'delivery', fulfillmentMethod: 'delivery' }],
    [3, { orderType: 'eat_in', fulfillmentMethod: 'pickup' }],
    [4, { orderType: 'curbside', fulfillmentMethod: 'pickup' }],
  ],
);

/** On delivery (2), online (3), vouchers (6, 7) and other (9) name no payment method. */
const PAYMENT_METHODS: ReadonlyMap<number, ChannelOrder['paymentMethod']> = new Map([
  [0, 'credit_card'],
  [1, 'cash'],
  [4, 'credit_card'],
  [5, 'debit_card'],
  [8, 'debit_card'],
]);

const SOURCES: PartSources = {
  paymentStatus: ['orderIsAlreadyPaid'],
  reference: ['channelOrderDisplayId', 'channelOrderId'],
  placedAt: ['placedTime', '_created'],
  totalAmount: ['payment.amount'],
  subtotal: ['items'],
  discountsAmount: ['discountTotal|discounts'],
  vatAmount: [['taxTotal|taxes', 'deliveryCostTax', 'serviceChargeTax']],
  deliveryFee: ['deliveryCost'],
  serviceFee: [['serviceCharge', 'tip', 'bagFee', 'driverTip']],
  lines: ['items'],
  storeId: [['location', 'channelLink', 'posLocationId']],
  customerName: ['customer.name'],
  customerPhone: ['customer.phoneNumber'],
  customerEmail: ['customer.email'],
  shippingAddress: ['deliveryAddress'],
  comment: ['note'],
  isPreorder: ['deliveryIsAsap'],
  orderType: ['orderType'],
  transportType: ['deliveryInfo.transportType'],
  fulfillmentMethod: ['orderType'],
  paymentMethod: ['payment.type'],
};

function sourcesOf(order: Reader, isDelivery: boolean): PartSources {
  if (isAbsent(order, 'orderType')) return SOURCES;
  return { ...SOURCES, promisedFor: isDelivery ? ['deliveryTime', 'pickupTime'] : ['pickupTime'] };
}

export function normaliseOrder(order: Reader, context: ReadContext): ParsedPayload {
  const { settings } = context;
  const id = idOf(order);
  const code = order.at('status').findInteger();
  const status = code === undefined ? 'RECEIVED' : findStatus(code);
  const digits = digitsOf(order);
  const instantOf = (...names: string[]) =>
    names.map((name) => findInstant(order.at(name).findText(), 'UTC')).find(Boolean);
  const changedAt = instantOf('_updated');
  const customer = order.at('customer');
  const type = TYPES.get(order.at('orderType').findInteger() ?? 0);
  const lines = order
    .at('items')
    .list()
    .map((item) => toLine(item, digits));
  const isAsap = order.at('deliveryIsAsap').findFlag();
  const normalised: Unmarked = {
    id,
    reference: order.at('channelOrderDisplayId').findId() ?? order.at('channelOrderId').findId(),
    placedAt: instantOf('placedTime', '_created'),
    // A cancellation is the same order again and may have no new time of change: then the time of receipt orders it.
    revision: code === CANCEL ? undefined : changedAt && revisionOf(changedAt),
    status,
    paymentStatus: order.at('orderIsAlreadyPaid').findFlag() ? 'paid' : 'pending',
    fulfillmentStatus: status && (status === 'DELIVERED' ? 'Full' : 'None'),
    currency: undefined,
    ...amountsOf(order, lines, digits),
    lines,
    storeId: findStoreId(settings, [
      order.at('location').findId(),
      order.at('channelLink').findId(),
      order.at('posLocationId').findId(),
    ]),
    customer: {
      name: customer.at('name').findText(),
      phone: customer.at('phoneNumber').findText(),
      email: customer.at('email').findText(),
    },
    shippingAddress: shippingAddressOf(order.at('deliveryAddress')),
    comment: order.at('note').findText(),
    promisedFor: type?.orderType === 'delivery' ? instantOf('deliveryTime', 'pickupTime') : instantOf('pickupTime'),
    isPreorder: isAsap === undefined ? undefined : !isAsap,
    orderType: type?.orderType,
    transportType: order.at('deliveryInfo', 'transportType').findText(),
    fulfillmentMethod: type?.fulfillmentMethod,
    paymentMethod: PAYMENT_METHODS.get(order.at('payment', 'type').findInteger() ?? -1),
  };
  const sources = sourcesOf(order, type?.orderType === 'delivery');
  const event = code === undefined ? 'order' : `order.${code}`;
  return { kind: 'order', event, order: withMentions(normalised, order, sources, context) };
}

/** No currency has more than four decimals. */
function digitsOf(order: Reader): number {
  const digits = order.at('decimalDigits').findInteger() ?? 2;
  if (digits >= 0 && digits <= 4) return digits;
  throw new Unreadable('unexpected', 'decimalDigits is not a number of digits', 'decimalDigits');
}

/** Integers without a decimal point: 650 with two decimals is 6.50. */
function majorOf(minor: Decimal, digits: number): Decimal {
  return { units: minor.units, scale: minor.scale + digits };
}

function amountsOf(order: Reader, lines: readonly ChannelLine[], digits: number): OrderAmounts {
  const amount = (name: string) => majorOf(order.at(name).findDecimal() ?? ZERO, digits);
  const totalAmount = majorOf(totalAt(order, 'payment.amount'), digits);
  const subtotal = linesSubtotal(lines);
  const listOf = (list: string, name: string) =>
    sum(
      order
        .at(list)
        .list()
        .map((one) => majorOf(one.at(name).findDecimal() ?? ZERO, digits)),
    );
  const discountsAmount = absolute(
    order.at('discountTotal').isThere() ? amount('discountTotal') : listOf('discounts', 'amount'),
  );
  const itemTax = order.at('taxTotal').isThere() ? amount('taxTotal') : listOf('taxes', 'total');
  const feeTax = sum([amount('deliveryCostTax'), amount('serviceChargeTax')]);
  const deliveryFee = amount('deliveryCost');
  const serviceFee = sum([amount('serviceCharge'), amount('tip'), amount('bagFee')]);
  const driverTip = amount('driverTip');
  // Tax that the channel remits itself and a driver's tip are listed but not part of the merchant's total.
  const [isDriverTipPaid, isItemTaxOnTop, isFeeTaxOnTop] = findCharged(
    totalAmount,
    sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee]),
    [driverTip, itemTax, feeTax],
  ) ?? [true, false, false];
  const onTop = sum([isItemTaxOnTop ? itemTax : ZERO, isFeeTaxOnTop ? feeTax : ZERO]);
  const isVatIncluded = !isItemTaxOnTop && !isFeeTaxOnTop;
  return {
    totalAmount,
    subtotal,
    discountsAmount,
    vatAmount: isVatIncluded ? sum([itemTax, feeTax]) : onTop,
    deliveryFee,
    serviceFee: isDriverTipPaid ? sum([serviceFee, driverTip]) : serviceFee,
    isVatIncluded,
  };
}

function toLine(item: Reader, digits: number): ChannelLine {
  const id = item.at('plu').findId() ?? item.at('_id').findId() ?? item.at('name').getId();
  const whole = toOption(item, digits);
  return {
    productId: id,
    // A PLU is the product's id in the merchant's own system.
    sku: item.at('plu').findId(),
    quantity: whole.quantity,
    ...foldOptions(whole, whole.options ?? []),
  };
}

function toOption(item: Reader, digits: number): LineOption {
  return {
    name: item.at('name').findText() ?? item.at('plu').findId(),
    quantity: item.at('quantity').findDecimal() ?? ONE,
    unitPrice: majorOf(item.at('price').findDecimal() ?? ZERO, digits),
    options: item
      .at('subItems')
      .list()
      .map((subItem) => toOption(subItem, digits)),
  };
}
