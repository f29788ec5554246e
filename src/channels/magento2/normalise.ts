import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import { add, compare, type Decimal, multiply, negate, sum, ZERO } from '../../platform/money.ts';
import {
  type AddedUp,
  type AppSettings,
  absolute,
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  type FulfillmentStatus,
  findCharged,
  findPaymentMethod,
  findStoreId,
  findWord,
  isAbsent,
  joined,
  linesSubtotal,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  priceOfOne,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';

/** States are defined by Magento; each store defines the statuses below them. `holded` has no counterpart. */
const STATES: Readonly<Record<string, OrderStatus>> = {
  new: 'RECEIVED',
  pending_payment: 'RECEIVED',
  payment_review: 'RECEIVED',
  processing: 'RECEIVED',
  closed: 'CANCELLED',
  canceled: 'CANCELLED',
};

const SHIPPING = 'extension_attributes.shipping_assignments.0.shipping';

const SOURCES: PartSources = {
  fulfillmentStatus: ['items'],
  reference: ['increment_id'],
  placedAt: ['created_at'],
  currency: ['order_currency_code'],
  totalAmount: ['grand_total'],
  subtotal: ['subtotal|subtotal_incl_tax|items'],
  discountsAmount: ['discount_amount'],
  vatAmount: ['tax_amount'],
  deliveryFee: ['shipping_amount|shipping_incl_tax'],
  lines: ['items'],
  storeId: [['store_id', 'extension_attributes.pickup_location_code']],
  customerName: [
    ['customer_firstname', 'customer_lastname'],
    ['billing_address.firstname', 'billing_address.lastname'],
  ],
  customerPhone: ['billing_address.telephone'],
  customerEmail: ['customer_email', 'billing_address.email'],
  receiverName: [[`${SHIPPING}.address.firstname`, `${SHIPPING}.address.lastname`]],
  receiverPhone: [`${SHIPPING}.address.telephone`],
  shippingAddress: [`${SHIPPING}.address`, 'billing_address'],
  comment: ['customer_note'],
  fulfillmentMethod: [`${SHIPPING}.method`],
  paymentMethod: ['payment.method'],
};

/** Amounts are in the order's currency; the `base_` fields are in the store's accounting currency. */
export function normaliseOrder(payload: Reader, context: ReadContext): ParsedPayload {
  const { settings } = context;
  const order = orderIn(payload);
  const id = order.at('entity_id').getId();
  // Times are UTC without a zone.
  const when = (name: string) => findInstant(order.at(name).findText(), 'UTC');
  const changedAt = when('updated_at');
  const fulfillmentStatus = fulfillmentStatusOf(order);
  const assignment = order.at('extension_attributes', 'shipping_assignments', 0, 'shipping');
  const shipping = assignment.at('address');
  const fulfillmentMethod = fulfillmentMethodOf(order, assignment);
  const billing = order.at('billing_address');
  const normalised: Unmarked = {
    id,
    reference: order.at('increment_id').findId() ?? id,
    placedAt: when('created_at'),
    revision: changedAt && revisionOf(changedAt),
    status: statusOf(order, { fulfillmentStatus, fulfillmentMethod }, settings),
    paymentStatus: paymentStatusOf(order),
    fulfillmentStatus,
    currency: order.at('order_currency_code').findText(),
    ...amountsOf(order),
    storeId: findStoreId(settings, [
      order.at('store_id').findId(),
      order.at('extension_attributes', 'pickup_location_code').findId(),
    ]),
    customer: {
      name: nameOf(order, 'customer_') ?? nameOf(billing),
      phone: billing.at('telephone').findText(),
      email: order.at('customer_email').findText() ?? billing.at('email').findText(),
    },
    receiver: { name: nameOf(shipping), phone: shipping.at('telephone').findText() },
    shippingAddress: shippingAddressOf(shipping) ?? shippingAddressOf(billing),
    comment: order.at('customer_note').findText(),
    fulfillmentMethod,
    paymentMethod: findPaymentMethod(order.at('payment', 'method').findText()),
  };
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, SOURCES, context) };
}

/** The API returns the bare order; modules that send it wrap it in a name. */
export function orderIn(payload: Reader): Reader {
  const within = [payload.at('order'), payload.at('data', 'order'), payload.at('data')];
  return within.find((one) => one.at('entity_id').isThere() || one.at('order_id').isThere()) ?? payload;
}

function statusOf(
  order: Reader,
  { fulfillmentStatus, fulfillmentMethod }: Pick<ChannelOrder, 'fulfillmentStatus' | 'fulfillmentMethod'>,
  { completed_means }: AppSettings,
): OrderStatus | undefined {
  const state = order.at('state').findText() ?? '';
  if (state === 'complete') return completed_means === 'dispatched' ? 'DISPATCHED' : 'DELIVERED';
  // Shipped but not paid, as with cash on delivery: the store completes an order when it is both. A pickup order counts as
  // shipped once it is ready.
  if (state === 'processing' && fulfillmentStatus === 'Full') {
    return fulfillmentMethod === 'pickup' ? 'READY_FOR_PICKUP' : 'DISPATCHED';
  }
  // Only the items show whether it was shipped.
  return state === 'processing' && isAbsent(order, 'items') ? undefined : findWord(STATES, state);
}

function paymentStatusOf(order: Reader): PaymentStatus | undefined {
  const total = totalAt(order, 'grand_total');
  const isAll = (name: string) => {
    const amount = order.at(name).findDecimal();
    return amount !== undefined && compare(amount, total) >= 0;
  };
  if (total.units > 0n && isAll('total_refunded')) return 'refunded';
  switch (order.at('state').findText()) {
    case 'pending_payment':
    case 'payment_review':
      return 'pending';
    case 'new':
    case 'processing': {
      if (isAbsent(order, 'grand_total') || ['total_paid', 'total_due'].every((name) => isAbsent(order, name)))
        return undefined;
      const due = order.at('total_due').findDecimal();
      return isAll('total_paid') || (due !== undefined && due.units <= 0n) ? 'paid' : 'pending';
    }
    case 'complete':
      return 'paid';
    case 'closed':
      return 'refunded';
    case 'canceled':
      return 'cancelled';
    default:
      return undefined;
  }
}

/**
 * Each amount comes without and with VAT. The store sums amounts without VAT, unless discounts apply to prices that include VAT:
 * then the discount contains VAT, which a "compensation" corrects, and only the amounts with VAT add up.
 */
function amountsOf(order: Reader): AddedUp {
  const amountAt = (name: string) => order.at(name).findDecimal() ?? ZERO;
  const isVatIncluded =
    amountAt('discount_tax_compensation_amount').units !== 0n ||
    amountAt('shipping_discount_tax_compensation_amount').units !== 0n;
  const suffix = isVatIncluded ? '_incl_tax' : '';
  const discount = absolute(amountAt('discount_amount'));
  const subtotal = order.at(`subtotal${suffix}`).findDecimal();
  const deliveryFee = amountAt(isVatIncluded ? 'shipping_incl_tax' : 'shipping_amount');
  const totalAmount = totalAt(order, 'grand_total');
  const vatAmount = amountAt('tax_amount');
  const lines = soldItemsOf(order).map(({ item, children }) => toLine(item, children, `price${suffix}`));
  // Gift cards, store credit and points reduce the amount to pay like a discount.
  const spent = sum(SPENT.map((name) => absolute(amountAt(name))));
  const parts = sum([
    subtotal ?? linesSubtotal(lines),
    negate(discount),
    deliveryFee,
    isVatIncluded ? ZERO : vatAmount,
  ]);
  const [isSpent] = findCharged(totalAmount, parts, [negate(spent)]) ?? [false];
  return {
    totalAmount,
    subtotal,
    discountsAmount: isSpent ? add(discount, spent) : discount,
    vatAmount,
    deliveryFee,
    serviceFee: ZERO,
    isVatIncluded,
    lines,
  };
}

const SPENT = ['gift_cards_amount', 'customer_balance_amount', 'reward_currency_amount'];

type Sold = { item: Reader; children: Reader[] };

/** Sold items with their children: the chosen variant of a configurable product, the parts of a bundle. */
function soldItemsOf(order: Reader): Sold[] {
  const items = order.at('items').list();
  const sold = new Map<string | undefined, Sold>();
  const parentOf = (item: Reader) => item.at('parent_item_id').findId() ?? item.at('parent_item', 'item_id').findId();
  const ids = new Set(items.map((item) => item.at('item_id').findId()));
  const isChild = (item: Reader) => parentOf(item) !== undefined && ids.has(parentOf(item));
  for (const item of items.filter((one) => !isChild(one))) {
    sold.set(item.at('item_id').findId() ?? item.path, { item, children: [] });
  }
  for (const item of items.filter(isChild)) sold.get(parentOf(item))?.children.push(item);
  return [...sold.values()];
}

/** The parent has the price, except for a bundle that is priced by its parts. */
function toLine(item: Reader, children: Reader[], priceName: string): ChannelLine {
  const quantity = quantityOf(item);
  const price = item.at(priceName).findDecimal() ?? item.at('price').findDecimal() ?? ZERO;
  return {
    productId: item.at('product_id').findId() ?? item.at('item_id').findId() ?? item.at('sku').getId(),
    sku: item.at('sku').findText(),
    name: item.at('name').findText(),
    quantity,
    unitPrice: price.units === 0n ? priceByParts(children, quantity, priceName) : price,
  };
}

function priceByParts(children: Reader[], quantity: Decimal, priceName: string): Decimal {
  const prices = children.map((child) =>
    multiply(child.at(priceName).findDecimal() ?? child.at('price').findDecimal() ?? ZERO, quantityOf(child)),
  );
  return priceOfOne(sum(prices), quantity);
}

const quantityOf = (item: Reader) => item.at('qty_ordered').getDecimal();

/** Counts items that can be shipped; others (a gift card, a course) never are. */
function fulfillmentStatusOf(order: Reader): FulfillmentStatus {
  if (order.at('state').findText() === 'complete') return 'Full';
  const goods = soldItemsOf(order)
    .map(({ item }) => item)
    .filter((item) => item.at('is_virtual').findFlag() !== true);
  const shipped = goods.map((item) => {
    const left = sum([quantityOf(item), negate(item.at('qty_canceled').findDecimal() ?? ZERO)]);
    const sent = item.at('qty_shipped').findDecimal() ?? ZERO;
    return { isSome: sent.units > 0n, isAll: sent.units > 0n && compare(sent, left) >= 0 };
  });
  if (shipped.length > 0 && shipped.every(({ isAll }) => isAll)) return 'Full';
  return shipped.some(({ isSome }) => isSome) ? 'Partial' : 'None';
}

function nameOf(party: Reader, prefix = ''): string | undefined {
  return joined([party.at(`${prefix}firstname`), party.at(`${prefix}lastname`)]);
}

function shippingAddressOf(party: Reader): ChannelOrder['shippingAddress'] {
  const street = party.at('street');
  // The API returns a list; modules that send database rows send a text with several lines.
  const [line1, ...lines] =
    typeof street.value === 'string'
      ? (street.findText()?.split('\n') ?? [])
      : street.list().map((line) => line.findText());
  return addressOf({
    line1: line1 || undefined,
    line2: lines.filter(Boolean).join(', ') || undefined,
    city: party.at('city').findText(),
    region: party.at('region').findText(),
    postalCode: party.at('postcode').findText(),
    country: party.at('country_id').findText(),
  });
}

function fulfillmentMethodOf(order: Reader, shipping: Reader): ChannelOrder['fulfillmentMethod'] {
  const method = shipping.at('method').findText() ?? '';
  if (method.startsWith('instore') || method.includes('pickup')) return 'pickup';
  return method !== '' && order.at('is_virtual').findFlag() !== true ? 'shipping' : undefined;
}
