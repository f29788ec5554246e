import { compare, type Decimal, negate, sum, ZERO } from '../../platform/money.ts';
import type { ChannelOrder, FulfillmentStatus, OrderStatus, PaymentStatus } from '../contract.ts';

export type Meaning = { status: OrderStatus; paymentStatus: PaymentStatus; fulfillmentStatus: FulfillmentStatus };

/** Meaning of the statuses in both API versions. */
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

/** Countries with prices without tax. Elsewhere Amazon's prices include tax. */
const TAX_ON_TOP = new Set(['USD', 'CAD']);

export type Parts = Record<'subtotal' | 'discountsAmount' | 'vatAmount' | 'deliveryFee' | 'serviceFee', Decimal>;

export function totalOf(
  { subtotal, discountsAmount, vatAmount, deliveryFee, serviceFee }: Parts,
  isTaxIncluded: boolean,
): Decimal {
  return sum([subtotal, negate(discountsAmount), deliveryFee, serviceFee, isTaxIncluded ? ZERO : vatAmount]);
}

/** No field says so; it is derived from the sums. */
export function isTaxInside(parts: Parts, total: Decimal | undefined, currency: string | undefined): boolean {
  for (const isTaxIncluded of [true, false]) {
    if (total !== undefined && compare(totalOf(parts, isTaxIncluded), total) === 0) return isTaxIncluded;
  }
  return !TAX_ON_TOP.has(currency ?? '');
}
