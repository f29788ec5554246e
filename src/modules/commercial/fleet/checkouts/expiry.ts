import type { CheckoutRow } from './sql.ts';

/** Without an end, abandoned payments would count against the limit of pending ones for ever. */
export const LIFETIME_HOURS = 24;
export const LIFETIME_MS = LIFETIME_HOURS * 3_600_000;

/** The payment as it is now: one that expired is cancelled, also where its row does not say so yet. */
export function checkoutAt(checkout: CheckoutRow, now: Date): CheckoutRow {
  const expires = new Date(checkout.created.getTime() + LIFETIME_MS);
  if (checkout.status !== 'pending' || expires > now) return checkout;
  return { ...checkout, status: 'cancelled', finished: expires };
}
