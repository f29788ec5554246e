import { findInstant, type Reader } from '../../platform/inbound/index.ts';
import { type Decimal, isCurrency, negate, sum, ZERO } from '../../platform/money.ts';
import {
  absolute,
  addressOf,
  type ChannelLine,
  type ChannelOrder,
  findCharged,
  findPaymentMethod,
  findStoreId,
  findWord,
  foldOptions,
  isAbsent,
  joined,
  type LineOption,
  linesSubtotal,
  ONE,
  type OrderAmounts,
  type ParsedPayload,
  type PartSources,
  type PaymentStatus,
  placeAt,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';

const PAYMENT_STATUSES: Readonly<Record<string, PaymentStatus>> = {
  paid: 'paid',
  pending: 'pending',
};

const SOURCES: PartSources = {
  reference: ['shortCode', 'code'],
  placedAt: ['createdAt'],
  currency: ['localInfo'],
  totalAmount: ['price.grandTotal'],
  subtotal: [['price.subTotal', 'products']],
  discountsAmount: ['price.discountAmountTotal', ['discounts', 'products']],
  vatAmount: ['price.vatTotal'],
  deliveryFee: ['price.deliveryFees|price.deliveryFee'],
  serviceFee: ['price.deliveryFees|price.riderTip|price.containerCharge|price.serviceFeeTotal'],
  lines: ['products'],
  storeId: ['platformRestaurant.id'],
  customerName: ['customer.firstName|customer.lastName'],
  customerPhone: ['customer.mobilePhone'],
  customerEmail: ['customer.email'],
  shippingAddress: ['delivery.address'],
  comment: ['comments.customerComment'],
  isPreorder: ['preOrder'],
  orderType: ['expeditionType'],
  fulfillmentMethod: ['expeditionType'],
  paymentMethod: ['payment.type'],
};

/** Transport and promised time depend on the expedition type: without it they are not mentioned. */
function sourcesOf(order: Reader, isPickup: boolean): PartSources {
  if (isAbsent(order, 'expeditionType')) return SOURCES;
  return isPickup
    ? { ...SOURCES, promisedFor: ['pickup.pickupTime', 'delivery.riderPickupTime'], transportType: ['expeditionType'] }
    : { ...SOURCES, promisedFor: ['delivery.expectedDeliveryTime'], transportType: ['delivery'] };
}

export function normaliseOrder(order: Reader, context: ReadContext, remoteId: string | undefined): ParsedPayload {
  const { settings } = context;
  const id = order.at('token').getId();
  // Test orders, sent while a store is being connected.
  if (order.at('test').findFlag()) return { kind: 'ignored', event: 'order.test', orderId: id };
  const customer = order.at('customer');
  const delivery = order.at('delivery');
  const expedition = order.at('expeditionType').findText();
  const isPickup = expedition?.toLowerCase() === 'pickup';
  const instantOf = (text: Reader) => findInstant(text.findText(), 'UTC');
  const lines = order.at('products').list().map(toLine);
  const normalised: Unmarked = {
    id,
    reference: order.at('shortCode').findId() ?? order.at('code').findId(),
    placedAt: instantOf(order.at('createdAt')),
    revision: undefined,
    status: 'RECEIVED',
    paymentStatus: findWord(PAYMENT_STATUSES, order.at('payment', 'status').findText()?.toLowerCase()),
    fulfillmentStatus: 'None',
    currency: findCurrency(order.at('localInfo')),
    ...amountsOf(order, lines),
    lines,
    storeId: findStoreId(settings, [order.at('platformRestaurant', 'id').findId(), remoteId]),
    customer: {
      name: joined([customer.at('firstName'), customer.at('lastName')]),
      phone: customer.at('mobilePhone').findText(),
      email: customer.at('email').findText(),
    },
    shippingAddress: shippingAddressOf(delivery.at('address')),
    comment: order.at('comments', 'customerComment').findText(),
    promisedFor: isPickup
      ? (instantOf(order.at('pickup', 'pickupTime')) ?? instantOf(delivery.at('riderPickupTime')))
      : instantOf(delivery.at('expectedDeliveryTime')),
    isPreorder: order.at('preOrder').findFlag(),
    orderType: expedition,
    // Without a rider pickup time the merchant delivers.
    transportType: isPickup
      ? undefined
      : delivery.at('riderPickupTime').isThere()
        ? 'LOGISTICS_DELIVERY'
        : 'VENDOR_DELIVERY',
    fulfillmentMethod: isPickup ? 'pickup' : 'delivery',
    // `paid` does not name the method.
    paymentMethod: findPaymentMethod(order.at('payment', 'type').findText()),
  };
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, sourcesOf(order, isPickup), context) };
}

/** Countries of the vendor and its sister brands with the same API, outside the euro. */
const CURRENCIES: ReadonlyMap<string, string> = new Map(
  'SA:SAR AE:AED KW:KWD BH:BHD QA:QAR OM:OMR JO:JOD EG:EGP IQ:IQD LB:LBP TR:TRY SE:SEK NO:NOK DK:DKK CZ:CZK HU:HUF'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** By the currency symbol, which is the code in most of these countries, otherwise by the country. */
function findCurrency(localInfo: Reader): string | undefined {
  const sign = localInfo.at('currencySymbol').findText() ?? '';
  if (isCurrency(sign)) return sign.toUpperCase();
  return sign === '€' ? 'EUR' : CURRENCIES.get(localInfo.at('countryCode').findText()?.toUpperCase() ?? '');
}

function amountsOf(order: Reader, lines: readonly ChannelLine[]): OrderAmounts {
  const price = order.at('price');
  const amount = (name: string) => price.at(name).findDecimal() ?? ZERO;
  const totalAmount = totalAt(order, 'price.grandTotal');
  const subtotal = price.at('subTotal').findDecimal() ?? linesSubtotal(lines);
  const discountsAmount = discountsOf(order);
  const fees = price.at('deliveryFees').list();
  const feesWhere = (isWanted: (name: string) => boolean) =>
    sum(
      fees
        .filter((fee) => isWanted(fee.at('name').findText()?.toLowerCase() ?? ''))
        .map((fee) => fee.at('value').findDecimal() ?? ZERO),
    );
  // Despite its name the list has all fees.
  const isForDelivery = (name: string) => name === '' || name.includes('deliver');
  const deliveryFee = fees.length > 0 ? feesWhere(isForDelivery) : amount('deliveryFee');
  const serviceFee = feesWhere((name) => !isForDelivery(name));
  const [tip, container, vatAmount] = [amount('riderTip'), amount('containerCharge'), amount('vatTotal')];
  const service = amount('serviceFeeTotal');
  const [isTipPaid, isContainerPaid, isServicePaid, isVatOnTop] = findCharged(
    totalAmount,
    sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee]),
    [tip, container, service, vatAmount],
  ) ?? [true, true, true, false];
  return {
    totalAmount,
    subtotal,
    discountsAmount,
    vatAmount,
    deliveryFee,
    serviceFee: sum([
      serviceFee,
      isTipPaid ? tip : ZERO,
      isContainerPaid ? container : ZERO,
      isServicePaid ? service : ZERO,
    ]),
    isVatIncluded: !isVatOnTop,
  };
}

/** Once for the order or, in newer versions, with each product and topping. */
function discountsOf(order: Reader): Decimal {
  const amountsIn = (list: Reader) =>
    sum(list.list().map((discount) => absolute(discount.at('amount').findDecimal() ?? ZERO)));
  const total = order.at('price', 'discountAmountTotal').findDecimal();
  if (total !== undefined) return absolute(total);
  if (order.at('discounts').list().length > 0) return amountsIn(order.at('discounts'));
  const withToppings = (item: Reader, toppings: Reader): Decimal =>
    sum([
      amountsIn(item.at('discounts')),
      ...toppings.list().map((topping) => withToppings(topping, topping.at('children'))),
    ]);
  return sum(
    order
      .at('products')
      .list()
      .map((product) => withToppings(product, product.at('selectedToppings'))),
  );
}

function toLine(product: Reader): ChannelLine {
  const id = product.at('id').findId() ?? product.at('remoteCode').getId();
  const variation = product.at('variation', 'name').findText();
  const name = product.at('name').findText() ?? variation;
  const options = product.at('selectedToppings').list().map(toOption);
  const whole = foldOptions({ name, unitPrice: product.at('unitPrice').findDecimal() ?? ZERO }, [
    // The price includes the variation; a variation that repeats the product's name is omitted.
    ...(variation === undefined || variation === name ? [] : [{ name: variation, quantity: ONE, unitPrice: ZERO }]),
    ...options,
  ]);
  return {
    productId: id,
    sku: product.at('remoteCode').findId(),
    quantity: product.at('quantity').findDecimal() ?? ONE,
    ...whole,
  };
}

function toOption(topping: Reader): LineOption {
  return {
    name: topping.at('name').findText(),
    quantity: topping.at('quantity').findDecimal() ?? ONE,
    unitPrice: topping.at('price').findDecimal() ?? ZERO,
    options: topping.at('children').list().map(toOption),
  };
}

function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  return addressOf(
    {
      line1: joined([address.at('street'), address.at('number')]),
      line2: joined([address.at('building'), address.at('floor'), address.at('flatNumber')], ', '),
      city: address.at('city').findText(),
      district: address.at('deliveryArea').findText(),
      postalCode: address.at('postcode').findText(),
    },
    placeAt(address.at('latitude'), address.at('longitude')),
  );
}
