import type { Reader } from '../../platform/inbound/index.ts';
import { compare, type Decimal, sum, ZERO } from '../../platform/money.ts';
import { type ChannelOrder, findWord, type PaymentStatus } from '../contract.ts';

/** Status of a card tender, or of a payment if the order has one. Cash and tenders without a status are paid. */
const TENDERS: Record<string, PaymentStatus> = {
  CAPTURED: 'paid',
  COMPLETED: 'paid',
  AUTHORIZED: 'pending',
  APPROVED: 'pending',
  PENDING: 'pending',
  VOIDED: 'cancelled',
  CANCELED: 'cancelled',
  FAILED: 'failed',
};

/** An order has no payment status: it is derived from tenders and refunds. */
export function paymentStatusOf(order: Reader, amount: (place: Reader) => Decimal): PaymentStatus {
  const total = amount(order.at('total_money'));
  const refunds = order
    .at('refunds')
    .list()
    .filter((refund) => ['APPROVED', 'COMPLETED'].includes(refund.at('status').findText() ?? ''));
  const refunded = sum(refunds.map((refund) => amount(refund.at('amount_money'))));
  const returned = amount(order.at('return_amounts', 'total_money'));
  const isMore = (one: Decimal) => compare(one, ZERO) > 0 && compare(one, total) >= 0;
  if (isMore(refunded) || isMore(returned)) return 'refunded';

  const tenders = order.at('tenders').list();
  const states = tenders.map((tender) => stateOf(tender));
  const paid = sum(tenders.filter((_, index) => states[index] === 'paid').map((one) => amount(one.at('amount_money'))));
  if (order.at('state').findText() === 'COMPLETED' || (tenders.length > 0 && compare(paid, total) >= 0)) return 'paid';
  if (states.includes('pending') || states.includes('paid')) return 'pending';
  const due = order.at('net_amount_due_money');
  if (due.isThere() && compare(amount(due), ZERO) === 0 && compare(total, ZERO) > 0) return 'paid';
  if (order.at('state').findText() === 'CANCELED') return 'cancelled';
  return states.at(-1) ?? 'pending';
}

function stateOf(tender: Reader): PaymentStatus {
  const details = ['card_details', 'bank_account_details', 'digital_wallet_details', 'buy_now_pay_later_details'];
  const place = details.map((name) => tender.at(name, 'status')).find((status) => status.isThere());
  return place === undefined ? 'paid' : (findWord(TENDERS, place.findText()) ?? 'pending');
}

const METHODS: Record<string, ChannelOrder['paymentMethod']> = {
  CARD: 'credit_card',
  CASH: 'cash',
  BANK_ACCOUNT: 'bank_transfer',
  WALLET: 'wallet',
  SQUARE_GIFT_CARD: 'wallet',
};

export function paymentMethodOf(order: Reader): ChannelOrder['paymentMethod'] {
  const tender = order.at('tenders').list()[0];
  const method = findWord(METHODS, tender?.at('type').findText());
  const isDebit = tender?.at('card_details', 'card', 'card_type').findText() === 'DEBIT';
  return method === 'credit_card' && isDebit ? 'debit_card' : method;
}
