import type { Tx } from '../../../../platform/database/index.ts';
import { conflict } from '../../../../platform/http/problem.ts';
import { isId } from '../../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../../audit/index.ts';
import { lockAccount } from '../../billing/index.ts';
import { receivePayment } from '../receive-payment.ts';
import { checkoutAt } from './expiry.ts';
import { checkoutNotFound } from './open-checkout.ts';
import { type CheckoutRow, type CheckoutStatus, finishCheckout, lockCheckout } from './sql.ts';

type Key = { organizationId: string; id: string };

/**
 * Pays the oldest fees first, through the same rule as a payment that an operator records. Exactly once: the second of two
 * concurrent confirmations waits for the account's lock and finds the payment made.
 */
export async function confirmCheckout(tx: Tx, key: Key, actor: Actor, now: Date): Promise<CheckoutRow> {
  const checkout = await getLocked(tx, key, now);
  if (checkout.status === 'succeeded') return checkout;
  if (checkout.status === 'cancelled') throw alreadyFinished('cancelled');
  const received = {
    organizationId: key.organizationId,
    amountSar: checkout.amount_sar,
    method: 'online' as const,
    reference: `sandbox ${checkout.id}`,
  };
  const { payment } = await receivePayment(tx, actor, received, now);
  const confirmed: CheckoutRow = { ...checkout, status: 'succeeded', payment_id: payment.id, finished: now };
  await finishCheckout(tx, confirmed);
  return confirmed;
}

/** Cancelling twice gives the same answer; a payment that was made is not cancelled. */
export async function cancelCheckout(tx: Tx, key: Key, actor: Actor, now: Date): Promise<CheckoutRow> {
  const checkout = await getLocked(tx, key, now);
  if (checkout.status === 'cancelled') return checkout;
  if (checkout.status === 'succeeded') throw alreadyFinished('succeeded');
  const cancelled: CheckoutRow = { ...checkout, status: 'cancelled', finished: now };
  await finishCheckout(tx, cancelled);
  const entry = { action: 'cancel-payment', resource: 'Settings', resourceId: checkout.id };
  await recordAudit(tx, key.organizationId, actor, [entry], now);
  return cancelled;
}

/** The account first, as everywhere that money moves. */
async function getLocked(tx: Tx, { organizationId, id }: Key, now: Date): Promise<CheckoutRow> {
  await lockAccount(tx, organizationId);
  const checkout = isId(id) ? await lockCheckout(tx, organizationId, id) : undefined;
  if (checkout === undefined) throw checkoutNotFound(id);
  return checkoutAt(checkout, now);
}

export const alreadyFinished = (status: CheckoutStatus) => conflict('Payment is finished', { status });
