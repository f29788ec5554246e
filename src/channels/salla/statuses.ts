import type { Reader } from '../../platform/inbound/index.ts';
import { type AppSettings, findWord, type OrderStatus, type PaymentStatus } from '../contract.ts';

/** With `paymentStatus` for statuses about the payment; for others the payment method decides. */
type Statuses = { status: OrderStatus; paymentStatus?: PaymentStatus };

const STATUSES: Readonly<Record<string, Statuses>> = {
  payment_pending: { status: 'RECEIVED', paymentStatus: 'pending' },
  waiting_for_payment_confirmation: { status: 'RECEIVED', paymentStatus: 'pending' },
  payment_failed: { status: 'RECEIVED', paymentStatus: 'failed' },
  under_review: { status: 'RECEIVED' },
  in_progress: { status: 'RECEIVED' },
  waiting_to_receive_it: { status: 'READY_FOR_PICKUP' },
  shipped: { status: 'DISPATCHED' },
  delivering: { status: 'DISPATCHED' },
  delivered: { status: 'DELIVERED' },
  canceled: { status: 'CANCELLED' },
  cancelled: { status: 'CANCELLED' },
  restoring: { status: 'CANCELLED' },
  restored: { status: 'CANCELLED', paymentStatus: 'refunded' },
};

export function findStatus(slug: string | undefined, { completed_means }: AppSettings): Statuses | undefined {
  if (slug === 'completed') return { status: completed_means === 'dispatched' ? 'DISPATCHED' : 'DELIVERED' };
  return findWord(STATUSES, slug);
}

/** A custom status of a store has one of the vendor's as parent; one of them has spaces. */
export function slugOf(status: Reader): string | undefined {
  if (typeof status.value === 'string') return spelt(status.findText());
  const known = [status, status.at('parent'), status.at('original')].map((one) => spelt(one.at('slug').findText()));
  return known.find((slug) => slug === 'completed' || findWord(STATUSES, slug) !== undefined) ?? known[0];
}

function spelt(slug: string | undefined): string | undefined {
  return slug?.toLowerCase().replaceAll(/[\s-]+/g, '_');
}
