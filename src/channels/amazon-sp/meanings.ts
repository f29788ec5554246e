import { compare, type Decimal, negate, sum, ZERO } from '../../platform/money.ts';
import type { ChannelOrder, FulfillmentStatus, OrderStatus, PaymentStatus } from '../contract.ts';

export type Meaning = { status: OrderStatus; paymentStatus: PaymentStatus; fulfillmentStatus: FulfillmentStatus };

/** What the statuses mean, whichever version of the interface spells them. */
export const MEANINGS = {
  pending: { status: 'RECEIVED', paymentStatus: 'pending', fulfillmentStatus: 'None' },
  unshipped: { status: 'RECEIVED', paymentStatus: 'paid', fulfillmentStatus: 'None' },
  partiallyShipped: { status: 'DISPATCHED', paymentStatus: 'paid', fulfillmentStatus: 'Partial' },
  shipped: { status: 'DISPATCHED', paymentStatus: 'paid', fulfillmentStatus: 'Full' },
  cancelled: { status: 'CANCELLED', paymentStatus: 'cancelled', fulfillmentStatus: 'None' },
} as const satisfies Record<string, Meaning>;

export const PAYMENT_METHODS: Record<string, ChannelOrder['paymentMethod']> = {
  COD: 'cash',
  CashOnDelivery: 'cash',
  CVS: 'cash',
  ConvenienceStore: 'cash',
  CreditCard: 'credit_card',
  DebitCard: 'debit_card',
  BankTransfer: 'bank_transfer',
  GiftCertificate: 'wallet',
};

/** Where prices are shown without the tax on them. Everywhere else Amazon sells with the tax inside. */
const TAX_ON_TOP = new Set(['USD', 'CAD']);

export type Parts = Record<'subtotal' | 'discountsAmount' | 'vatAmount' | 'deliveryFee' | 'serviceFee', Decimal>;

export function totalOf(
  { subtotal, discountsAmount, vatAmount, deliveryFee, serviceFee }: Parts,
  isTaxIncluded: boolean,
): Decimal {
  return sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee, isTaxIncluded ? ZERO : vatAmount]);
}

/** No field says it: the way in which the parts make up the total does. */
export function isTaxInside(parts: Parts, total: Decimal | undefined, currency: string | undefined): boolean {
  for (const isTaxIncluded of [true, false]) {
    if (total !== undefined && compare(totalOf(parts, isTaxIncluded), total) === 0) return isTaxIncluded;
  }
  return !TAX_ON_TOP.has(currency ?? '');
}
