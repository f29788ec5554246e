import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { compare, type Decimal, negate, subtract, sum, ZERO } from '../../platform/money.ts';
import {
  addressOf,
  type ChannelOrder,
  findWord,
  type ParsedPayload,
  type PartSources,
  placeAt,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';
import { linesOf, taxAmountsOf } from './lines.ts';
import { isDraft, paymentMethodOf, statusesOf } from './statuses.ts';

const TYPES: Record<string, { orderType: string; fulfillmentMethod?: ChannelOrder['fulfillmentMethod'] }> = {
  1: { orderType: 'dine_in' },
  2: { orderType: 'pickup', fulfillmentMethod: 'pickup' },
  3: { orderType: 'delivery', fulfillmentMethod: 'delivery' },
  4: { orderType: 'drive_thru', fulfillmentMethod: 'pickup' },
};

const SOURCES: PartSources = {
  reference: ['reference'],
  placedAt: ['opened_at', 'created_at'],
  currency: ['currency'],
  totalAmount: ['total_price'],
  subtotal: [['products', 'combos']],
  discountsAmount: [['products', 'combos', 'discount_amount']],
  vatAmount: [['products', 'combos', 'charges']],
  deliveryFee: ['charges'],
  serviceFee: [['charges', 'rounding_amount']],
  lines: [['products', 'combos']],
  storeId: ['branch.id|branch_id'],
  customerName: ['customer.name'],
  customerPhone: ['customer.phone'],
  customerEmail: ['customer.email'],
  receiverName: ['customer.name'],
  receiverPhone: ['customer.phone'],
  shippingAddress: ['customer_address'],
  comment: ['customer_notes', 'kitchen_notes'],
  promisedFor: ['due_at'],
  orderType: ['type'],
  fulfillmentMethod: ['type'],
  paymentMethod: ['payments'],
};

export function normaliseOrder(payload: Reader, context: ReadContext): ParsedPayload {
  // `order` in webhooks and older responses, `data` in the API.
  const order = [payload.at('order'), payload.at('data')].find((place) => place.isThere()) ?? payload;
  const id = order.at('id').getId();
  if (isDraft(order)) return { kind: 'ignored', event: 'order', orderId: id };

  // UTC without a zone, for every branch.
  const when = (name: string) => findInstant(order.at(name).findText(), 'UTC');
  const changedAt = when('updated_at');
  const totalAmount = totalAt(order, 'total_price');
  const { lines, subtotal, discountsAmount: lineDiscounts, vatAmount: lineTaxes } = linesOf(order);
  const charges = chargesOf(order);
  const amounts = {
    totalAmount,
    subtotal,
    discountsAmount: sum([lineDiscounts, order.at('discount_amount').findDecimal() ?? ZERO]),
    vatAmount: sum([lineTaxes, charges.vatAmount]),
    deliveryFee: charges.deliveryFee,
    // Rounded to the smallest coin.
    serviceFee: sum([charges.serviceFee, order.at('rounding_amount').findDecimal() ?? ZERO]),
  };
  const customer = order.at('customer');
  const party = { name: customer.at('name').findText(), phone: phoneOf(customer) };
  const type = findWord(TYPES, order.at('type').findText());
  const statuses = statusesOf(order, totalAmount);
  const normalised: Unmarked = {
    id,
    reference: order.at('reference').findId() ?? id,
    // `created_at` is when the order reached the cloud: an offline POS uploads later.
    placedAt: when('opened_at') ?? when('created_at'),
    revision: changedAt && revisionOf(changedAt),
    ...statuses,
    currency: order.at('currency').findText(),
    ...amounts,
    isVatIncluded: isTaxInside(order, amounts),
    lines,
    storeId: order.at('branch', 'id').findId() ?? order.at('branch_id').findId(),
    customer: { ...party, email: customer.at('email').findText() },
    receiver: party,
    shippingAddress: shippingAddressOf(order.at('customer_address')),
    comment: order.at('customer_notes').findText() ?? order.at('kitchen_notes').findText(),
    promisedFor: when('due_at'),
    orderType: type?.orderType,
    fulfillmentMethod: type?.fulfillmentMethod,
    paymentMethod: paymentMethodOf(order),
  };
  // An open order is paid if its payments cover its total.
  const isOpen = statuses.fulfillmentStatus === 'None' && statuses.status !== 'CANCELLED';
  const sources = isOpen ? { ...SOURCES, paymentStatus: [['payments', 'total_price']] } : SOURCES;
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, sources, context) };
}

type Amounts = Record<
  'totalAmount' | 'subtotal' | 'discountsAmount' | 'vatAmount' | 'deliveryFee' | 'serviceFee',
  Decimal
>;

/**
 * Each business chooses whether its prices include tax, and no field of an order says so: the sum decides. If neither adds up, a
 * price that differs from its price without tax includes it.
 */
function isTaxInside(order: Reader, amounts: Amounts): boolean {
  const { totalAmount, subtotal, discountsAmount, vatAmount, deliveryFee, serviceFee } = amounts;
  const without = subtract(totalAmount, sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee]));
  if (isAbout(without, vatAmount)) return false;
  if (isAbout(without, ZERO)) return true;
  const product = order.at('products').list()[0];
  const exclusive = product?.at('tax_exclusive_unit_price').findDecimal();
  return exclusive !== undefined && compare(exclusive, product?.at('unit_price').findDecimal() ?? exclusive) < 0;
}

/** Taxes have three decimals or more, the total has two. */
function isAbout(one: Decimal, other: Decimal): boolean {
  const { units, scale } = subtract(one, other);
  return compare({ units: units < 0n ? -units : units, scale }, { units: 1n, scale: 2 }) <= 0;
}

const DELIVERY = /deliver|توصيل|شحن/i;

function chargesOf(order: Reader) {
  const charges = order.at('charges').list();
  const amountOf = (charge: Reader) => charge.at('amount').findDecimal() ?? ZERO;
  const isDelivery = (charge: Reader) =>
    ['name', 'name_localized'].some((name) => DELIVERY.test(charge.at('charge', name).findText() ?? ''));
  return {
    deliveryFee: sum(charges.filter(isDelivery).map(amountOf)),
    serviceFee: sum(charges.filter((charge) => !isDelivery(charge)).map(amountOf)),
    vatAmount: sum(charges.flatMap((charge) => taxAmountsOf(charge))),
  };
}

function phoneOf(customer: Reader): string | undefined {
  const phone = customer.at('phone').findText();
  const dialCode = customer.at('dial_code').findText();
  if (phone === undefined || dialCode === undefined || /^(?:\+|00)/.test(phone)) return phone;
  return `+${dialCode.replace(/^\+/, '')}${phone.replace(/^0/, '')}`;
}

function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  const [description, name] = [address.at('description').findText(), address.at('name').findText()];
  return addressOf(
    {
      line1: description ?? name,
      line2: description === undefined ? undefined : name,
      district: address.at('delivery_zone', 'name').findText(),
    },
    placeAt(address.at('latitude'), address.at('longitude')),
  );
}
