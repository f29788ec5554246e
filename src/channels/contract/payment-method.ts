import type { ChannelOrder } from './order.ts';

type PaymentMethod = NonNullable<ChannelOrder['paymentMethod']>;

/** Ordered: a "mada debit card" is a debit card, and cash on delivery is cash with any bank name. */
const WORDS: readonly [PaymentMethod, readonly string[]][] = [
  ['cash', ['cash', 'cod', 'cop', 'cashondelivery', 'نقد', 'نقدا', 'نقدي', 'كاش']],
  ['bank_transfer', ['bank', 'transfer', 'banktransfer', 'bacs', 'cheque', 'checkmo', 'تحويل', 'بنكي']],
  ['debit_card', ['mada', 'debit', 'debitcard', 'مدى']],
  [
    'wallet',
    ['wallet', 'apple', 'applepay', 'google', 'googlepay', 'samsungpay', 'stc', 'stcpay', 'urpay', 'paypal', 'محفظة'],
  ],
  [
    'credit_card',
    ['credit', 'card', 'creditcard', 'cc', 'visa', 'master', 'mastercard', 'amex', 'stripe', 'zidpay', 'بطاقة'],
  ],
];

/**
 * Stores name a method as their plugins do (`zid_bank_transfer`, `Cash on Delivery (COD)`, `shopify_payments`): a known word in the
 * name decides. Gateways with several methods, instalments and gift cards give undefined.
 */
export function findPaymentMethod(name: string | undefined): PaymentMethod | undefined {
  const given = new Set((name ?? '').toLowerCase().split(/[^\p{L}]+/u));
  if (given.has('gift')) return undefined;
  return WORDS.find(([, words]) => words.some((word) => given.has(word)))?.[0];
}
