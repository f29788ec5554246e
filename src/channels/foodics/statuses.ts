import type { Reader } from '../../platform/inbound/index.ts';
import { compare, type Decimal, sum, ZERO } from '../../platform/money.ts';
import { type ChannelOrder, findPaymentMethod, findWord, type OrderStatus, type PaymentStatus } from '../contract.ts';

/** Final statuses: 3 declined, 5 returned, 6 joined to another order, 7 void. */
const OVER: Record<string, { status?: OrderStatus; paymentStatus?: PaymentStatus }> = {
  3: { status: 'CANCELLED', paymentStatus: 'cancelled' },
  5: { status: 'CANCELLED', paymentStatus: 'refunded' },
  6: {},
  7: { status: 'CANCELLED', paymentStatus: 'cancelled' },
};

/** 1 sent to the kitchen, 2 ready, 3 assigned, 4 en route, 5 delivered, 6 closed. */
const DELIVERY: Record<string, OrderStatus> = {
  1: 'RECEIVED',
  2: 'READY_FOR_PICKUP',
  3: 'READY_FOR_PICKUP',
  4: 'DISPATCHED',
  5: 'DELIVERED',
  6: 'DELIVERED',
};

const CLOSED = '4';
const DRAFT = '8';
const OPEN = new Set(['1', '2']);

export const isDraft = (order: Reader) => order.at('status').findText() === DRAFT;

/**
 * 4 is closed; some integrations read it as "in preparation", and their orders never ended. `closed_at` means the same and takes
 * precedence over an older status.
 */
export function statusesOf(
  order: Reader,
  total: Decimal,
): Pick<ChannelOrder, 'status' | 'paymentStatus' | 'fulfillmentStatus'> {
  const word = order.at('status').findText();
  const over = findWord(OVER, word);
  if (over !== undefined) return { status: over.status, paymentStatus: over.paymentStatus, fulfillmentStatus: 'None' };
  const isClosed = word === CLOSED || order.at('closed_at').findText() !== undefined;
  const delivery = order.at('delivery_status').findText();
  const open = delivery === undefined ? 'RECEIVED' : findWord(DELIVERY, delivery);
  const status = isClosed ? 'DELIVERED' : word !== undefined && OPEN.has(word) ? open : undefined;
  if (status === undefined) return { status, paymentStatus: undefined, fulfillmentStatus: undefined };
  if (status === 'DELIVERED') return { status, paymentStatus: 'paid', fulfillmentStatus: 'Full' };
  const paid = sum(paymentsOf(order).map((payment) => payment.at('amount').findDecimal() ?? ZERO));
  return { status, paymentStatus: compare(paid, total) >= 0 ? 'paid' : 'pending', fulfillmentStatus: 'None' };
}

const paymentsOf = (order: Reader) => order.at('payments').list();

/** Merchants name their methods; only the first two types are the same everywhere. */
const BY_TYPE: Record<string, ChannelOrder['paymentMethod']> = { 1: 'cash', 2: 'credit_card' };

export function paymentMethodOf(order: Reader): ChannelOrder['paymentMethod'] {
  const method = paymentsOf(order)[0]?.at('payment_method');
  return findPaymentMethod(method?.at('name').findText()) ?? findWord(BY_TYPE, method?.at('type').findText());
}
