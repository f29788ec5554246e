import { findInstant, type Reader, revisionOf } from '../../platform/inbound/index.ts';
import {
  currencyDigits,
  type Decimal,
  multiply,
  negate,
  roundToCurrency,
  subtract,
  sum,
  ZERO,
} from '../../platform/money.ts';
import {
  type ChannelOrder,
  findCharged,
  findWord,
  isAbsent,
  type OrderStatus,
  type ParsedPayload,
  type PartSources,
  type ReadContext,
  totalAt,
  type Unmarked,
  withMentions,
} from '../contract.ts';
import { fulfilmentOf, shippingAddressOf } from './fulfilment.ts';
import { toLine } from './line.ts';
import { paymentMethodOf, paymentStatusOf } from './payment.ts';

/** For orders without fulfilments. A draft is a cart that can be neither paid nor fulfilled. */
const STATES: Record<string, OrderStatus> = { OPEN: 'RECEIVED', COMPLETED: 'DELIVERED', CANCELED: 'CANCELLED' };

/** Recipient, address and time. */
const FULFILMENT = ['fulfillments'];

const SOURCES: PartSources = {
  placedAt: ['created_at'],
  currency: ['total_money.currency'],
  totalAmount: ['total_money.amount'],
  subtotal: [['line_items', 'taxes']],
  discountsAmount: ['total_discount_money'],
  vatAmount: ['total_tax_money'],
  deliveryFee: ['service_charges'],
  lines: ['line_items'],
  storeId: ['location_id'],
  customerName: FULFILMENT,
  customerPhone: FULFILMENT,
  customerEmail: FULFILMENT,
  receiverName: FULFILMENT,
  receiverPhone: FULFILMENT,
  shippingAddress: FULFILMENT,
  promisedFor: FULFILMENT,
  isPreorder: FULFILMENT,
  orderType: FULFILMENT,
  fulfillmentMethod: FULFILMENT,
  paymentMethod: ['tenders'],
};

const ENDED = new Set(['COMPLETED', 'CANCELED']);

function sourcesOf(order: Reader, serviceCharges: Decimal, note: string | undefined): PartSources {
  // Without the list of charges, their sum does not show the delivery fee.
  const isListed = !isAbsent(order, 'service_charges') || serviceCharges.units === 0n;
  return {
    ...SOURCES,
    comment: [note === undefined ? 'note' : 'fulfillments'],
    ...(isListed && {
      serviceFee: [['service_charges|total_service_charge_money', 'total_tip_money', 'rounding_adjustment']],
    }),
    // The state of a finished order implies the payment; an open order is judged by its tenders.
    ...(!ENDED.has(order.at('state').findText() ?? '') && {
      paymentStatus: ['tenders|refunds|return_amounts|net_amount_due_money'],
    }),
  };
}

export function normaliseOrder(payload: Reader, context: ReadContext): ParsedPayload {
  const { timeZone, currency: ownCurrency } = context;
  const order = payload.at('order').isThere() ? payload.at('order') : payload;
  const id = order.at('id').getId();
  const fulfilment = fulfilmentOf(order);
  const state = order.at('state').findText();
  if (state === 'DRAFT' && fulfilment === undefined) return { kind: 'ignored', event: 'order', orderId: id };

  const total = order.at('total_money');
  const currency = total.at('currency').findText() ?? ownCurrency;
  const amount = (place: Reader) => findMoney(place, currency) ?? ZERO;
  totalAt(order, 'total_money.amount');
  const status = fulfilment?.status ?? findWord(STATES, state);
  const lines = order
    .at('line_items')
    .list()
    .map((item) => toLine(item, amount));
  const taxes = taxesOf(order, amount);
  const amounts = {
    totalAmount: amount(total),
    // With both kinds of taxes on one order, included taxes are subtracted from the prices, and all taxes are on top.
    subtotal: sum([
      ...lines.map((line) => roundToCurrency(multiply(line.quantity, line.unitPrice), currency)),
      taxes.isMixed ? negate(taxes.included) : ZERO,
    ]),
    discountsAmount: amount(order.at('total_discount_money')),
    vatAmount: amount(order.at('total_tax_money')),
    isVatIncluded: taxes.isIncluded,
    ...feesOf(order, amount),
  };
  const recipient = fulfilment?.details.at('recipient');
  const party = recipient && {
    name: recipient.at('display_name').findText(),
    phone: recipient.at('phone_number').findText(),
    email: recipient.at('email_address').findText(),
  };
  const changedAt = findInstant(order.at('updated_at').findText(), 'UTC');
  const normalised: Unmarked = {
    id,
    reference: id,
    placedAt: findInstant(order.at('created_at').findText(), timeZone),
    // Orders created outside the API never have a version; all others always do.
    revision: versionOf(order) ?? (changedAt && revisionOf(changedAt)),
    status,
    paymentStatus: paymentStatusOf(order, amount),
    fulfillmentStatus: status && (status === 'DELIVERED' || status === 'DISPATCHED' ? 'Full' : 'None'),
    currency,
    ...amounts,
    serviceFee: sum([amounts.serviceFee, ...chargedExtras(order, amounts, amount)]),
    lines,
    storeId: order.at('location_id').findId(),
    customer: party,
    receiver: party && { name: party.name, phone: party.phone },
    shippingAddress: recipient && shippingAddressOf(recipient.at('address')),
    comment: fulfilment?.note ?? order.at('note').findText(),
    promisedFor: fulfilment && findInstant(fulfilment.promisedFor, timeZone),
    isPreorder: fulfilment?.details.at('schedule_type').findText() === 'SCHEDULED',
    orderType: fulfilment?.type?.toLowerCase(),
    fulfillmentMethod: fulfilment?.method,
    paymentMethod: paymentMethodOf(order),
  };
  const sources = sourcesOf(order, amount(order.at('total_service_charge_money')), fulfilment?.note);
  return { kind: 'order', event: 'order', order: withMentions(normalised, order, sources, context) };
}

type AmountAt = (place: Reader) => Decimal;

/** Integer minor units: the decimal point is moved without division. */
function findMoney(place: Reader, currency: string): Decimal | undefined {
  const found = place.at('amount').findDecimal();
  return found && { units: found.units, scale: found.scale + currencyDigits(currency) };
}

export function versionOf(order: Reader): bigint | undefined {
  const version = order.at('version').findInteger();
  return version === undefined ? undefined : BigInt(version);
}

function taxesOf(order: Reader, amount: AmountAt) {
  const taxes = order.at('taxes').list();
  const included = taxes.filter((tax) => tax.at('type').findText() === 'INCLUSIVE');
  const isIncluded = included.length > 0 && included.length === taxes.length;
  return {
    isIncluded,
    isMixed: included.length > 0 && !isIncluded,
    included: sum(included.map((tax) => amount(tax.at('applied_money')))),
  };
}

const DELIVERY = /deliver|shipping|توصيل|شحن/i;

/** Merchants name their service charges; the delivery fee is recognised by its name. */
function feesOf(order: Reader, amount: AmountAt): { deliveryFee: Decimal; serviceFee: Decimal } {
  const charges = order.at('service_charges').list();
  const amountOf = (charge: Reader) =>
    amount(charge.at(charge.at('applied_money').isThere() ? 'applied_money' : 'amount_money'));
  const isDelivery = (charge: Reader) => DELIVERY.test(charge.at('name').findText() ?? '');
  const deliveryFee = sum(charges.filter(isDelivery).map(amountOf));
  const total = order.at('total_service_charge_money');
  return {
    deliveryFee,
    serviceFee: subtract(total.isThere() ? amount(total) : sum(charges.map(amountOf)), deliveryFee),
  };
}

/** Whether tip and cash rounding are part of the total depends on when they were added: the sum decides. */
function chargedExtras(
  order: Reader,
  { subtotal, discountsAmount, vatAmount, isVatIncluded, deliveryFee, serviceFee, totalAmount }: Amounts,
  amount: AmountAt,
): Decimal[] {
  const tip = amount(order.at('total_tip_money'));
  const rounding = amount(order.at('rounding_adjustment', 'amount_money'));
  const parts = [subtotal, negate(discountsAmount), isVatIncluded ? ZERO : vatAmount, deliveryFee, serviceFee];
  const [isTipPaid, isRounded] = findCharged(totalAmount, sum(parts), [tip, rounding]) ?? [true, true];
  return [isTipPaid ? tip : ZERO, isRounded ? rounding : ZERO];
}

type Amounts = Pick<
  ChannelOrder,
  'discountsAmount' | 'vatAmount' | 'isVatIncluded' | 'deliveryFee' | 'serviceFee' | 'totalAmount'
> & { subtotal: Decimal };
