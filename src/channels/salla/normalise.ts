import { findInstant, type Reader } from '../../platform/inbound/index.ts';
import { add, type Decimal, negate, subtract, sum, ZERO } from '../../platform/money.ts';
import {
  absolute,
  addressOf,
  amountsDiffer,
  type ChannelLine,
  type ChannelOrder,
  findPaymentMethod,
  findStoreId,
  findWord,
  isAbsent,
  joined,
  linesSubtotal,
  nameWith,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  placeAt,
  priceOfOne,
  type ReadContext,
  type Unmarked,
  withMentions,
  withVatPlaced,
} from '../contract.ts';
import { findStatus, slugOf } from './statuses.ts';

const SOURCES: PartSources = {
  reference: ['reference_id'],
  placedAt: ['date'],
  currency: ['currency|amounts.total.currency'],
  totalAmount: ['amounts.total|total'],
  subtotal: [['amounts.sub_total', 'items']],
  discountsAmount: ['amounts.discounts'],
  vatAmount: ['amounts.tax'],
  deliveryFee: ['amounts.shipping_cost'],
  serviceFee: ['amounts.cash_on_delivery'],
  // The sum decides how an item's price is interpreted.
  lines: [['items', 'amounts.sub_total']],
  storeId: [['store.id', 'shipment_branch', 'pickup_branch.id']],
  customerName: ['customer.first_name|customer.last_name|customer.name|customer.full_name'],
  customerPhone: ['customer.mobile'],
  customerEmail: ['customer.email'],
  receiverName: ['shipping.receiver.name'],
  receiverPhone: ['shipping.receiver.phone'],
  shippingAddress: ['shipping.address'],
  comment: ['notes'],
  orderType: ['source'],
  fulfillmentMethod: [['pickup_branch.id', 'shipping']],
  paymentMethod: ['payment_method'],
};

/** Fields of the envelope. */
export type Envelope = { event: string; merchant: string | undefined; revision: bigint | undefined };

export function normaliseOrder(order: Reader, envelope: Envelope, context: ReadContext): ParsedPayload {
  const id = order.at('id').getId();
  const { event, revision } = envelope;
  if (order.at('draft').findFlag() === true) return { kind: 'ignored', event, orderId: id };
  const amounts = order.at('amounts');
  const moneyAt = (...steps: string[]) => amountOf(amounts.at(...steps)) ?? ZERO;
  const total = totalOf(order);
  const items = order.at('items').list();
  const subtotal = amountOf(amounts.at('sub_total'));
  const lines = linesOf(items, subtotal);
  const currency = order.at('currency').findText() ?? amounts.at('total', 'currency').findText();
  const statuses = findStatus(slugOf(order.at('status')), context.settings);
  const status = event === 'order.cancelled' ? 'CANCELLED' : statuses?.status;
  const normalised = withVatPlaced<Unmarked>(
    {
      id,
      reference: order.at('reference_id').findId() ?? id,
      placedAt: whenAt(order.at('date'), context.timeZone),
      revision,
      status,
      paymentStatus: paymentStatusOf(order, event, status, statuses?.paymentStatus),
      fulfillmentStatus: status && (status === 'DISPATCHED' || status === 'DELIVERED' ? 'Full' : 'None'),
      currency,
      totalAmount: total,
      // Listed orders have only their total.
      subtotal: subtotal ?? (lines.length === 0 ? total : undefined),
      discountsAmount: sum(amounts.at('discounts').list().map(discountOf)),
      vatAmount: moneyAt('tax', 'amount'),
      deliveryFee: moneyAt('shipping_cost'),
      serviceFee: moneyAt('cash_on_delivery'),
      isVatIncluded: false,
      lines,
      storeId: storeOf(order, envelope, context),
      ...peopleOf(order),
      comment: textOf(order.at('notes')),
      orderType: order.at('source').findText(),
      fulfillmentMethod: fulfillmentMethodOf(order),
      paymentMethod: findPaymentMethod(order.at('payment_method').findText()),
    },
    currency ?? context.currency,
  );
  const discounted = withShippingDiscounts(normalised, amounts, currency ?? context.currency);
  return { kind: 'order', event, order: withMentions(discounted, order, SOURCES, context) };
}

function totalOf(order: Reader): Decimal {
  if (isAbsent(order, 'amounts.total') && isAbsent(order, 'total')) return ZERO;
  const inAmounts = order.at('amounts', 'total');
  return amountOf(inAmounts) ?? amountOf(order.at('total')) ?? inAmounts.getDecimal();
}

/** `{amount, currency}`, in a few fields the amount only. */
function amountOf(money: Reader): Decimal | undefined {
  const isAlone = typeof money.value === 'string' || typeof money.value === 'number';
  return isAlone ? money.findDecimal() : money.at('amount').findDecimal();
}

function discountOf(discount: Reader): Decimal {
  const given = amountOf(discount.at('discount')) ?? ZERO;
  return given.units < 0n ? negate(given) : given;
}

/** The shipping discount of a coupon is a field of its own, and the shipping cost may include it: the total decides. */
function withShippingDiscounts(order: Unmarked, amounts: Reader, currency: string): Unmarked {
  if (!amountsDiffer(order, currency)) return order;
  const offShipping = sum(
    amounts
      .at('discounts')
      .list()
      .map((discount) => amountOf(discount.at('discounted_shipping')) ?? ZERO),
  );
  const discounted = { ...order, discountsAmount: add(order.discountsAmount, offShipping) };
  return amountsDiffer(discounted, currency) ? order : discounted;
}

/** `{date, timezone}`: local time and its zone. */
function whenAt(date: Reader, timeZone: string): Date | undefined {
  if (typeof date.value === 'string') return findInstant(date.findText(), timeZone);
  return findInstant(date.at('date').findText(), date.at('timezone').findText() ?? timeZone);
}

/**
 * The price is per piece, options included. In some payloads it is for the whole line, and in some the options are added: the sum
 * decides.
 */
function linesOf(items: Reader[], subtotal: Decimal | undefined): ChannelLine[] {
  const readings = [false, true].flatMap((hasExtras) => [false, true].map((isByLine) => ({ isByLine, hasExtras })));
  const all = readings.map((reading) => items.map((item) => toLine(item, reading)));
  const isWhole = (lines: ChannelLine[]) =>
    subtotal !== undefined && absolute(subtract(linesSubtotal(lines), subtotal)).units === 0n;
  return all.find(isWhole) ?? all[0] ?? [];
}

const quantityOf = (item: Reader) => item.at('quantity').getDecimal();

function priceOf(item: Reader): Decimal {
  return (
    amountOf(item.at('amounts', 'price_without_tax')) ??
    amountOf(item.at('price')) ??
    amountOf(item.at('product', 'price')) ??
    ZERO
  );
}

function toLine(item: Reader, { isByLine, hasExtras }: { isByLine: boolean; hasExtras: boolean }): ChannelLine {
  const quantity = quantityOf(item);
  const options = item.at('options').list();
  const price = hasExtras ? add(priceOf(item), sum(options.map(extraOf))) : priceOf(item);
  const name = item.at('name').findText() ?? item.at('product', 'name').findText();
  return {
    productId: item.at('product_id').findId() ?? item.at('product', 'id').findId() ?? item.at('id').getId(),
    sku: item.at('sku').findText() ?? item.at('product', 'sku').findText(),
    barcode: item.at('product', 'gtin').findText(),
    name: nameWith(name, options.flatMap(chosenIn)),
    quantity,
    unitPrice: isByLine ? priceOfOne(price, quantity) : price,
  };
}

/** One choice, several choices, or text of the customer. */
function choicesIn(option: Reader): Reader[] {
  const value = option.at('value');
  return Array.isArray(value.value) ? value.list() : [value];
}

function extraOf(option: Reader): Decimal {
  return sum(choicesIn(option).map((choice) => amountOf(choice.at('price')) ?? ZERO));
}

function chosenIn(option: Reader): string[] {
  return choicesIn(option).flatMap((choice) => textOf(choice.at('name')) ?? textOf(choice) ?? []);
}

function textOf(reader: Reader): string | undefined {
  return typeof reader.value === 'object' ? undefined : reader.findText();
}

const TRANSACTIONS: Readonly<Record<string, PaymentStatus>> = {
  initiated: 'pending',
  pending: 'pending',
  paid: 'paid',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  refunded: 'refunded',
  partial_refunded: 'paid',
};

/**
 * An order names its payment method and rarely a payment status. Cash is paid on delivery; a transfer once the store has checked
 * its receipt, for which "under review" waits.
 */
/** A transfer is paid once the store continues with the order; later statuses say nothing about it. */
const TRANSFERS: Readonly<Record<string, PaymentStatus>> = { under_review: 'pending', in_progress: 'paid' };

function paymentStatusOf(
  order: Reader,
  event: string,
  status: ChannelOrder['status'],
  byStatus: PaymentStatus | undefined,
): PaymentStatus | undefined {
  const transaction = [order.at('payment', 'status'), order.at('payment_status'), order.at('transaction', 'status')]
    .map((one) => findWord(TRANSACTIONS, textOf(one)))
    .find((found) => found !== undefined);
  if (transaction !== undefined) return transaction;
  if (event === 'order.refunded') return 'refunded';
  if (byStatus !== undefined) return byStatus;
  if (status === undefined || status === 'CANCELLED') return undefined;
  if (order.at('is_pending_payment').findFlag() === true) return 'pending';
  const method = findPaymentMethod(order.at('payment_method').findText());
  if (method === 'cash') return status === 'DELIVERED' ? 'paid' : 'pending';
  if (method === 'bank_transfer') return findWord(TRANSFERS, slugOf(order.at('status')));
  return order.at('payment_method').isThere() ? 'paid' : undefined;
}

function storeOf(order: Reader, { merchant }: Envelope, { settings }: ReadContext): string | undefined {
  const branches = order.at('shipment_branch');
  const ids = (Array.isArray(branches.value) ? branches.list() : [branches]).map((branch) => branch.at('id').findId());
  return findStoreId(settings, [
    order.at('store', 'id').findId() ?? merchant,
    ...ids.toReversed(),
    order.at('pickup_branch', 'id').findId(),
  ]);
}

function peopleOf(order: Reader): Pick<ChannelOrder, 'customer' | 'receiver' | 'shippingAddress'> {
  const customer = order.at('customer');
  const receiver = order.at('shipping', 'receiver');
  const address = order.at('shipping', 'address');
  const mobile = customer.at('mobile').findText();
  return {
    customer: {
      name:
        joined([customer.at('first_name'), customer.at('last_name')]) ??
        customer.at('name').findText() ??
        customer.at('full_name').findText(),
      // The country code is a separate field if the number lacks it.
      phone: mobile && (mobile.startsWith('+') ? mobile : `${customer.at('mobile_code').findText() ?? ''}${mobile}`),
      email: customer.at('email').findText(),
    },
    receiver: {
      name: receiver.at('name').findText(),
      phone: receiver.at('phone').findText(),
      email: receiver.at('email').findText(),
    },
    shippingAddress: addressOf(
      {
        line1: address.at('shipping_address').findText() ?? address.at('street_number').findText(),
        city: address.at('city').findText(),
        district: address.at('block').findText(),
        postalCode: address.at('postal_code').findText(),
        country: address.at('country_code').findText() ?? address.at('country').findText(),
      },
      placeAt(address.at('geo_coordinates', 'lat'), address.at('geo_coordinates', 'lng')),
    ),
  };
}

function fulfillmentMethodOf(order: Reader): ChannelOrder['fulfillmentMethod'] {
  if (order.at('pickup_branch', 'id').isThere()) return 'pickup';
  return order.at('shipping').isThere() ? 'shipping' : undefined;
}
