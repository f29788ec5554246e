import { findInstant, type Reader } from '../../platform/inbound/index.ts';
import { currencyDigits, type Decimal, negate, subtract, sum, ZERO } from '../../platform/money.ts';
import {
  absolute,
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findCharged,
  findStoreId,
  findWord,
  foldOptions,
  isAbsent,
  joined,
  type LineOption,
  linesSubtotal,
  ONE,
  type OrderAmounts,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  placeAt,
  type ReadContext,
  type Unmarked,
  withMentions,
} from '../contract.ts';

const STATUSES: Readonly<Record<string, OrderStatus>> = {
  CREATED: 'RECEIVED',
  ACCEPTED: 'RECEIVED',
  FINISHED: 'DELIVERED',
  DENIED: 'CANCELLED',
  CANCELED: 'CANCELLED',
};

/** Zero charges are omitted, so all charges of an order count as mentioned together. */
const CHARGES = 'payment.charges';

const SOURCES: PartSources = {
  paymentStatus: [[CHARGES, 'type']],
  reference: ['display_id'],
  placedAt: ['placed_at'],
  currency: [`${CHARGES}.total.currency_code`],
  totalAmount: [`${CHARGES}.total.amount`],
  subtotal: [[CHARGES, 'cart.items']],
  discountsAmount: [CHARGES],
  vatAmount: [CHARGES],
  deliveryFee: [CHARGES],
  serviceFee: [CHARGES],
  lines: ['cart.items'],
  storeId: ['store'],
  customerName: ['eater.first_name|eater.last_name'],
  customerPhone: ['eater.phone'],
  customerEmail: ['eater.email'],
  shippingAddress: ['eater.delivery.location'],
  comment: ['cart.special_instructions'],
  promisedFor: ['estimated_ready_for_pickup_at'],
  orderType: ['type'],
  fulfillmentMethod: ['type'],
  paymentMethod: [CHARGES],
};

export function normaliseOrder(order: Reader, context: ReadContext): ParsedPayload {
  const { settings, timeZone } = context;
  const id = order.at('id').getId();
  const status = statusOf(order);
  const store = order.at('store');
  const eater = order.at('eater');
  const type = order.at('type').findText();
  const instantOf = (name: string) => findInstant(order.at(name).findText(), timeZone);
  const charges = order.at('payment', 'charges');
  const currency = charges.at('total', 'currency_code').findText();
  const lines = order.at('cart', 'items').list().map(toLine);
  const normalised: Unmarked = {
    id,
    reference: order.at('display_id').findId() ?? id.slice(-5),
    placedAt: instantOf('placed_at'),
    revision: undefined,
    status,
    ...paymentOf(charges, type, status),
    fulfillmentStatus: status && (status === 'DELIVERED' ? 'Full' : 'None'),
    currency,
    ...amountsOf(order, lines),
    lines,
    storeId: findStoreId(settings, [
      store.at('id').findId(),
      store.at('merchant_store_id').findId(),
      store.at('integrator_store_id').findId(),
    ]),
    customer: {
      name: joined([eater.at('first_name'), eater.at('last_name')]),
      phone: eater.at('phone').findText(),
      email: eater.at('email').findText(),
    },
    shippingAddress: shippingAddressOf(eater.at('delivery', 'location')),
    comment: order.at('cart', 'special_instructions').findText(),
    promisedFor: instantOf('estimated_ready_for_pickup_at'),
    orderType: type,
    fulfillmentMethod: type === undefined ? undefined : type.startsWith('DELIVERY') ? 'delivery' : 'pickup',
  };
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, SOURCES, context) };
}

/** The order's state is decisive once final; before, the courier states are. A courier on the way outweighs one that arrived. */
function statusOf(order: Reader): OrderStatus | undefined {
  const status = findWord(STATUSES, order.at('current_state').findText()?.toUpperCase());
  if (status === 'CANCELLED' || status === 'DELIVERED') return status;
  const couriers = order
    .at('deliveries')
    .list()
    .map((delivery) => delivery.at('current_state').findText()?.toUpperCase());
  if (couriers.includes('EN_ROUTE_TO_DROPOFF')) return 'DISPATCHED';
  return couriers.includes('COMPLETED') ? 'DELIVERED' : status;
}

/**
 * The vendor collects payments in its app, or in cash by its courier. Only cash collected by the merchant is pending. A cancelled order
 * does not show what happened to its payment.
 */
function paymentOf(
  charges: Reader,
  type: string | undefined,
  status: OrderStatus | undefined,
): { paymentStatus: PaymentStatus | undefined; paymentMethod: ChannelOrder['paymentMethod'] } {
  const isCash = (charges.at('cash_amount_due', 'amount').findDecimal() ?? ZERO).units > 0n;
  const isTakenByShop = isCash && type !== 'DELIVERY_BY_UBER';
  const paymentStatus = isTakenByShop ? 'pending' : 'paid';
  return {
    paymentStatus: status === 'CANCELLED' ? undefined : paymentStatus,
    paymentMethod: isCash ? 'cash' : undefined,
  };
}

/** Minor units of the currency. A value with a fraction is in major units already, because there is no smaller unit. */
function findMoney(money: Reader): Decimal | undefined {
  const amount = money.at('amount').findDecimal();
  if (amount === undefined) return undefined;
  const hasFraction = amount.units % 10n ** BigInt(amount.scale) !== 0n;
  if (hasFraction) return amount;
  return { units: amount.units, scale: amount.scale + currencyDigits(money.at('currency_code').findText() ?? '') };
}

function amountsOf(order: Reader, lines: readonly ChannelLine[]): OrderAmounts {
  const charges = order.at('payment', 'charges');
  const amount = (name: string) => findMoney(charges.at(name)) ?? ZERO;
  // If missing, the error names its own path.
  const total = isAbsent(order, 'payment.charges.total.amount')
    ? ZERO
    : (findMoney(charges.at('total')) ?? charges.at('total', 'amount').getDecimal());
  const subtotal = findMoney(charges.at('sub_total')) ?? linesSubtotal(lines);
  const reduced = findMoney(charges.at('sub_total_promo_applied'));
  const discountsAmount = reduced === undefined ? ZERO : absolute(subtract(subtotal, reduced));
  const itemTax = findMoney(charges.at('tax_promo_applied')) ?? amount('tax');
  const feeTax = amount('total_fee_tax');
  const deliveryFee = amount('delivery_fee');
  const fees = findMoney(charges.at('total_fee'));
  const others = sum([amount('small_order_fee'), amount('bag_fee'), amount('pick_and_pack_fee')]);
  const serviceFee = fees === undefined ? others : subtract(fees, deliveryFee);
  const tip = amount('tip');
  const certain = sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee]);
  // With a promotion there are two totals: before and after it. Tax that the vendor remits itself is in neither.
  const totals = [findMoney(charges.at('total_promo_applied')), total].filter((one) => one !== undefined);
  const readings = totals.map((one) => ({ total: one, charged: findCharged(one, certain, [itemTax, feeTax, tip]) }));
  const reading = readings.find(({ charged }) => charged !== undefined) ?? readings[0];
  const [isItemTaxOnTop, isFeeTaxOnTop, isTipPaid] = reading?.charged ?? [true, true, true];
  const onTop = sum([isItemTaxOnTop ? itemTax : ZERO, isFeeTaxOnTop ? feeTax : ZERO]);
  const isVatIncluded = !isItemTaxOnTop && !isFeeTaxOnTop;
  return {
    totalAmount: reading?.total ?? total,
    subtotal,
    discountsAmount,
    vatAmount: isVatIncluded ? sum([itemTax, feeTax]) : onTop,
    deliveryFee,
    serviceFee: isTipPaid ? sum([serviceFee, tip]) : serviceFee,
    isVatIncluded,
  };
}

/** `unit_price` includes the options; only without it the parts are summed. */
function toLine(item: Reader): ChannelLine {
  const whole = findMoney(item.at('price', 'unit_price'));
  const base = findMoney(item.at('price', 'base_unit_price')) ?? ZERO;
  const options = optionsOf(item, whole === undefined);
  const id = item.at('id').getId();
  return {
    productId: id,
    sku: findCode(item.at('external_data').findText()) ?? id,
    quantity: item.at('quantity').findDecimal() ?? ONE,
    ...foldOptions({ name: item.at('title').findText() ?? id, unitPrice: whole ?? base }, options),
  };
}

/** The merchant sets the item's id and a free text: a text without spaces counts as SKU. */
function findCode(text: string | undefined): string | undefined {
  return text !== undefined && /^\S{1,200}$/.test(text) ? text : undefined;
}

function optionsOf(item: Reader, isPriced: boolean): LineOption[] {
  return item
    .at('selected_modifier_groups')
    .list()
    .flatMap((group) => group.at('selected_items').list())
    .map((option) => ({
      name: option.at('title').findText(),
      quantity: option.at('quantity').findDecimal() ?? ONE,
      unitPrice: (isPriced ? findMoney(option.at('price', 'base_unit_price')) : undefined) ?? ZERO,
      options: optionsOf(option, isPriced),
    }));
}

function shippingAddressOf(location: Reader): ChannelOrder['shippingAddress'] {
  return addressOf(
    {
      line1: location.at('street_address').findText() ?? location.at('street_address_line_one').findText(),
      line2: location.at('unit_number').findText(),
      city: location.at('city').findText(),
      postalCode: location.at('postal_code').findText(),
      country: location.at('country').findText(),
    },
    placeAt(location.at('latitude'), location.at('longitude')),
  );
}
