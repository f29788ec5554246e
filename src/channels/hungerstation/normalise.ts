import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { compare, type Decimal, multiply, negate, round, sum, ZERO } from '../../platform/money.ts';
import {
  absolute,
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findCharged,
  findStoreId,
  joined,
  linesSubtotal,
  ONE,
  type OrderAmounts,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  placeAt,
  priceOfOne,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';

/** The vendor's statuses are Dukkan's. */
const STATUSES: readonly string[] = [
  'RECEIVED',
  'READY_FOR_PICKUP',
  'DISPATCHED',
  'DELIVERED',
  'CANCELLED',
] satisfies OrderStatus[];

export function findStatus(order: Reader): OrderStatus | undefined {
  const word = order.at('status').findText()?.toUpperCase();
  return STATUSES.find((status) => status === word) as OrderStatus | undefined;
}

export function revisionOfOrder(order: Reader): bigint | undefined {
  const changedAt = findInstant(order.at('sys', 'updated_at').findText(), 'UTC');
  return changedAt && revisionOf(changedAt);
}

const SOURCES: PartSources = {
  paymentStatus: ['payment.type'],
  reference: ['order_code', 'external_order_id'],
  placedAt: ['sys.created_at'],
  totalAmount: ['payment.order_total'],
  subtotal: [['payment.sub_total', 'items']],
  discountsAmount: ['payment.discount'],
  vatAmount: ['payment.total_taxes'],
  deliveryFee: ['payment.delivery_fee'],
  serviceFee: ['payment.service_fee|payment.container_charge|payment.difference_to_minimum'],
  lines: ['items'],
  storeId: ['client.store_id|client.external_partner_config_id|client.id'],
  customerName: ['customer.first_name|customer.last_name'],
  customerPhone: ['customer.phone_number'],
  customerEmail: ['customer.email'],
  shippingAddress: ['customer.delivery_address'],
  comment: ['comment'],
  promisedFor: ['promised_for'],
  isPreorder: ['isPreorder|is_preorder'],
  orderType: ['order_type'],
  transportType: ['transport_type'],
  fulfillmentMethod: ['order_type'],
  paymentMethod: ['payment.type'],
};

export function normaliseOrder(order: Reader, context: ReadContext): ParsedPayload {
  const { settings } = context;
  const status = findStatus(order);
  const customer = order.at('customer');
  const client = order.at('client');
  const type = order.at('order_type').findText();
  const instantOf = (text: Reader) => findInstant(text.findText(), 'UTC');
  const lines = linesOf(order, status);
  const normalised: Unmarked = {
    id: order.at('order_id').getId(),
    reference: order.at('order_code').findId() ?? order.at('external_order_id').findId(),
    placedAt: instantOf(order.at('sys', 'created_at')),
    revision: revisionOfOrder(order),
    status,
    paymentStatus: order.at('payment', 'type').findText()?.toUpperCase() === 'PAID' ? 'paid' : 'pending',
    fulfillmentStatus: status && (status === 'DELIVERED' ? 'Full' : 'None'),
    currency: undefined,
    ...amountsOf(order, lines),
    lines,
    storeId: findStoreId(settings, [
      client.at('store_id').findId(),
      client.at('external_partner_config_id').findId(),
      client.at('id').findId(),
    ]),
    customer: {
      name: joined([customer.at('first_name'), customer.at('last_name')]),
      phone: customer.at('phone_number').findText(),
      email: customer.at('email').findText(),
    },
    shippingAddress: shippingAddressOf(customer.at('delivery_address')),
    comment: order.at('comment').findText(),
    promisedFor: instantOf(order.at('promised_for')),
    isPreorder: (order.at('isPreorder').isThere() ? order.at('isPreorder') : order.at('is_preorder')).findFlag(),
    orderType: type,
    transportType: order.at('transport_type').findText(),
    fulfillmentMethod: type?.toUpperCase() === 'PICKUP' ? 'pickup' : 'delivery',
    paymentMethod: order.at('payment', 'type').findText()?.toUpperCase().startsWith('CASH') ? 'cash' : undefined,
  };
  const event = order.at('status').findText() ?? 'order';
  return { kind: 'order', event, order: withMentions(normalised, order, SOURCES, context) };
}

function amountsOf(order: Reader, lines: readonly ChannelLine[]): OrderAmounts {
  const payment = order.at('payment');
  const amount = (name: string) => payment.at(name).findDecimal() ?? ZERO;
  const totalAmount = totalAt(order, 'payment.order_total');
  const subtotal = payment.at('sub_total').findDecimal() ?? linesSubtotal(lines);
  const discountsAmount = absolute(amount('discount'));
  const [deliveryFee, serviceFee, vatAmount] = [amount('delivery_fee'), amount('service_fee'), amount('total_taxes')];
  const container = amount('container_charge');
  const missingToMinimum = amount('difference_to_minimum');
  const certain = sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee]);
  const [isContainerCharged, isMinimumCharged, isVatOnTop] = findCharged(totalAmount, certain, [
    container,
    missingToMinimum,
    vatAmount,
  ]) ?? [true, true, false];
  return {
    totalAmount,
    subtotal,
    discountsAmount,
    vatAmount,
    deliveryFee,
    serviceFee: sum([serviceFee, isContainerCharged ? container : ZERO, isMinimumCharged ? missingToMinimum : ZERO]),
    isVatIncluded: !isVatOnTop,
  };
}

/** Items that were not found or replaced. A cancelled order keeps all its items. */
const NOT_SOLD = new Set(['NOT_FOUND', 'REPLACED']);

function linesOf(order: Reader, status: OrderStatus | undefined): ChannelLine[] {
  const items = order.at('items').list();
  const sold = items.filter((item) => !NOT_SOLD.has(item.at('status').findText()?.toUpperCase() ?? ''));
  return (status === 'CANCELLED' ? items : sold).map(toLine);
}

function toLine(item: Reader): ChannelLine {
  const pricing = item.at('pricing').isThere() ? item.at('pricing') : item.at('original_pricing');
  const isByWeight = pricing.at('pricing_type').findText()?.toUpperCase() === 'KG';
  const pieces = pricing.at('quantity').findDecimal();
  const quantity = (isByWeight ? (pricing.at('weight').findDecimal() ?? pieces) : pieces) ?? ONE;
  const barcode = item.at('barcode');
  return {
    productId: item.at('_id').findId() ?? item.at('sku').getId(),
    sku: item.at('sku').findId(),
    barcode: (Array.isArray(barcode.value) ? barcode.at(0) : barcode).findId(),
    name: item.at('name').findText(),
    quantity,
    unitPrice: unitPriceOf(pricing, quantity),
  };
}

/** The total of the line is authoritative: for pieces by weight, weight times price differs from it. */
function unitPriceOf(pricing: Reader, quantity: Decimal): Decimal {
  const unitPrice = pricing.at('unit_price').findDecimal();
  const total = pricing.at('total_price').findDecimal();
  if (total === undefined || quantity.units === 0n) return unitPrice ?? ZERO;
  const isExact = unitPrice !== undefined && compare(round(multiply(unitPrice, quantity), 2), round(total, 2)) === 0;
  return isExact ? unitPrice : priceOfOne(total, quantity);
}

function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  const line1 = joined([address.at('street'), address.at('number')]) ?? address.at('formattedAddress').findText();
  const inside = ['block', 'building', 'floor', 'apartment'].map((name) => address.at(name));
  return addressOf(
    {
      line1,
      line2: joined(inside, ', '),
      city: address.at('city').findText(),
      district: address.at('suburb').findText(),
      postalCode: address.at('zipcode').findText() ?? address.at('postal_code').findText(),
      country: address.at('country').findText(),
    },
    placeAt(address.at('latitude'), address.at('longitude')),
  );
}
