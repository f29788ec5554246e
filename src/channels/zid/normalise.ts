import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { add, type Decimal, negate, roundToCurrency, ZERO } from '../../platform/money.ts';
import {
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findPaymentMethod,
  findStoreId,
  findWord,
  nameWith,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  placeAt,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
  withVatPlaced,
} from '../contract.ts';

type Statuses = { status: OrderStatus; paymentStatus?: PaymentStatus };

/** In lower case: the vendor's spelling varies. */
const STATUSES: Readonly<Record<string, Statuses>> = {
  new: { status: 'RECEIVED' },
  preparing: { status: 'RECEIVED' },
  processed: { status: 'RECEIVED' },
  ready: { status: 'READY_FOR_PICKUP' },
  indelivery: { status: 'DISPATCHED' },
  delivered: { status: 'DELIVERED' },
  canceled: { status: 'CANCELLED' },
  cancelled: { status: 'CANCELLED' },
  denied: { status: 'CANCELLED' },
  expired: { status: 'CANCELLED' },
  voided: { status: 'CANCELLED' },
  refunded: { status: 'CANCELLED', paymentStatus: 'refunded' },
  reversed: { status: 'CANCELLED', paymentStatus: 'refunded' },
  partially_reversed: { status: 'CANCELLED', paymentStatus: 'refunded' },
  chargeback: { status: 'CANCELLED', paymentStatus: 'refunded' },
  failed: { status: 'RECEIVED', paymentStatus: 'failed' },
};

const PAYMENT_STATUSES: Readonly<Record<string, PaymentStatus>> = {
  pending: 'pending',
  paid: 'paid',
  refunded: 'refunded',
  voided: 'cancelled',
};

const SOURCES: PartSources = {
  reference: ['code'],
  placedAt: ['created_at'],
  currency: ['currency_code|currency.order_currency.code'],
  totalAmount: ['order_total'],
  subtotal: [['payment.invoice', 'products']],
  discountsAmount: ['payment.invoice'],
  vatAmount: ['payment.invoice'],
  deliveryFee: ['payment.invoice'],
  serviceFee: ['payment.invoice'],
  lines: ['products'],
  storeId: [['store_id', 'inventory_address.id']],
  customerName: ['customer.name'],
  customerPhone: ['customer.mobile'],
  customerEmail: ['customer.email'],
  receiverName: ['consignee.name', 'customer.name'],
  receiverPhone: ['consignee.mobile', 'customer.mobile'],
  shippingAddress: ['shipping.address'],
  comment: ['customer_note', 'customer.note'],
  orderType: ['source_code'],
  fulfillmentMethod: [['shipping_method_code', 'shipping.method.code', 'is_on_demand', 'requires_shipping']],
  paymentMethod: [['payment.method.code', 'payment.method.type']],
};

export function normaliseOrder(payload: Reader, context: ReadContext): ParsedPayload {
  const { timeZone, settings } = context;
  const order = orderIn(payload);
  const id = order.at('id').getId();
  const when = (name: string) => findInstant(order.at(name).findText(), timeZone);
  const changedAt = when('updated_at');
  const named = order.at('currency_code').findText() ?? order.at('currency', 'order_currency', 'code').findText();
  const currency = named ?? context.currency;
  // Totals such as 223.56000086523 come from subtracting and adding VAT as floats.
  const totalAmount = roundToCurrency(totalAt(order, 'order_total'), currency);
  const lines = order.at('products').list().map(toLine);
  const word = statusWordOf(order);
  const statuses = findWord(STATUSES, word);
  const invoice = invoiceOf(order);
  const method = order.at('payment', 'method');
  const normalised: Unmarked = {
    id,
    reference: order.at('code').findId() ?? id,
    placedAt: when('created_at'),
    revision: changedAt && revisionOf(changedAt),
    status: statuses?.status,
    paymentStatus: paymentStatusOf(order, word, statuses),
    fulfillmentStatus:
      statuses && (statuses.status === 'DISPATCHED' || statuses.status === 'DELIVERED' ? 'Full' : 'None'),
    currency: named,
    totalAmount,
    ...invoice,
    // Listed orders have neither lines nor invoice: only the total is known.
    subtotal: invoice.subtotal ?? (lines.length === 0 ? totalAmount : undefined),
    isVatIncluded: false,
    lines,
    storeId: findStoreId(settings, [order.at('store_id').findId(), order.at('inventory_address', 'id').findId()]),
    customer: partyOf(order.at('customer')),
    receiver: partyOf(order.at('consignee').isThere() ? order.at('consignee') : order.at('customer')),
    shippingAddress: shippingAddressOf(order.at('shipping', 'address')),
    comment: order.at('customer_note').findText() ?? order.at('customer', 'note').findText(),
    orderType: order.at('source_code').findText(),
    fulfillmentMethod: fulfillmentMethodOf(order),
    paymentMethod: findPaymentMethod(method.at('code').findText()) ?? findPaymentMethod(method.at('type').findText()),
  };
  const placed = withVatPlaced(normalised, currency);
  return { kind: 'order', event: 'order', order: withMentions(placed, order, SOURCES, context) };
}

/** Webhooks send the bare order, the API wraps it in its name. */
export function orderIn(payload: Reader): Reader {
  const within = [payload.at('order'), payload.at('data', 'order'), payload.at('data')];
  return within.find((one) => one.at('id').isThere()) ?? payload;
}

function statusWordOf(order: Reader): string {
  const status = order.at('order_status');
  const word = typeof status.value === 'string' ? status.findText() : status.at('code').findText();
  return word?.toLowerCase() ?? '';
}

/** The order status takes precedence, except that a partial return leaves the order paid. */
function paymentStatusOf(order: Reader, word: string, statuses: Statuses | undefined): PaymentStatus | undefined {
  const paymentStatus = findWord(PAYMENT_STATUSES, order.at('payment_status').findText());
  if (word === 'partially_reversed' && paymentStatus === 'paid') return 'paid';
  return statuses?.paymentStatus ?? paymentStatus;
}

const SUMS = /^(sub_?totals?|taxable|total$|grand_total)/;
const DISCOUNTS = /discount|coupon|redemption|offer/;

/**
 * An invoice is a list of rows with codes: items, discounts (negative), charges, and subtotals between them. A row with an unknown
 * code is a discount or a charge by its sign.
 */
function invoiceOf(
  order: Reader,
): Pick<ChannelOrder, 'subtotal' | 'discountsAmount' | 'vatAmount' | 'deliveryFee' | 'serviceFee'> {
  let subtotal: Decimal | undefined;
  let [discountsAmount, vatAmount, deliveryFee, serviceFee] = [ZERO, ZERO, ZERO, ZERO];
  for (const row of order.at('payment', 'invoice').list()) {
    const code = row.at('code').findText() ?? '';
    const value = row.at('value').findDecimal() ?? ZERO;
    const isNegative = value.units < 0n;
    if (code === 'sub_totals_before_vat' || code === 'sub_totals') subtotal ??= value;
    else if (SUMS.test(code)) continue;
    else if (code === 'vat') vatAmount = add(vatAmount, value);
    else if (isNegative || DISCOUNTS.test(code)) {
      discountsAmount = add(discountsAmount, isNegative ? negate(value) : value);
    } else if (code === 'shipping') deliveryFee = add(deliveryFee, value);
    else serviceFee = add(serviceFee, value);
  }
  return { subtotal, discountsAmount, vatAmount, deliveryFee, serviceFee };
}

/** Before VAT, like the first rows of the invoice, with options included. */
function toLine(product: Reader): ChannelLine {
  const chosen = [
    ...product
      .at('options')
      .list()
      .map((option) => plainText(option.at('value'))),
    ...product.at('custom_fields').list().map(chosenIn),
  ];
  const name = product.at('name').findText();
  return {
    productId: product.at('id').findId() ?? product.at('order_product_id').getId(),
    sku: product.at('sku').findText(),
    barcode: product.at('barcode').findText(),
    name: nameWith(name, chosen),
    quantity: product.at('quantity').getDecimal(),
    unitPrice:
      product.at('net_price_with_additions').findDecimal() ??
      product.at('net_price').findDecimal() ??
      product.at('price').findDecimal() ??
      ZERO,
  };
}

/** A checkbox, or text of the customer. */
function chosenIn(field: Reader): string | undefined {
  const value = plainText(field.at('value'));
  return value === '✔' ? plainText(field.at('name')) : value;
}

function plainText(reader: Reader): string | undefined {
  return typeof reader.value === 'object' ? undefined : reader.findText();
}

function partyOf(party: Reader): ChannelOrder['customer'] {
  return {
    name: party.at('name').findText(),
    phone: party.at('mobile').findText(),
    email: party.at('email').findText(),
  };
}

function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  return addressOf(
    {
      line1: address.at('street').findText(),
      line2: address.at('short_address').findText(),
      city: address.at('city', 'name').findText(),
      district: address.at('district').findText(),
      postalCode: address.at('meta', 'postcode').findText(),
      country: address.at('country', 'code').findText() ?? address.at('country', 'name').findText(),
    },
    placeAt(address.at('lat'), address.at('lng')),
  );
}

function fulfillmentMethodOf(order: Reader): ChannelOrder['fulfillmentMethod'] {
  const code = `${order.at('shipping_method_code').findText()} ${order.at('shipping', 'method', 'code').findText()}`;
  if (code.includes('pickup')) return 'pickup';
  if (order.at('is_on_demand').findFlag() === true) return 'delivery';
  return order.at('requires_shipping').findFlag() === true ? 'shipping' : undefined;
}
