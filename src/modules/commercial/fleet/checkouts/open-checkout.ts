import type { Queryable, Tx } from '../../../../platform/database/index.ts';
import { conflict, notFound } from '../../../../platform/http/problem.ts';
import { isId, newId } from '../../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../../audit/index.ts';
import { lockAccount, type Money } from '../../billing/index.ts';
import { checkoutAt, LIFETIME_MS } from './expiry.ts';
import { type CheckoutRow, countPendingCheckouts, expireCheckouts, findCheckout, insertCheckout } from './sql.ts';

export const MAX_PENDING = 50;

/** No money moves yet. Under the account's lock, so that the limit holds. Expired payments no longer count towards it. */
export async function openCheckout(
  tx: Tx,
  organizationId: string,
  amountSar: Money,
  actor: Actor,
  now: Date,
): Promise<CheckoutRow> {
  await lockAccount(tx, organizationId);
  await expireCheckouts(tx, organizationId, new Date(now.getTime() - LIFETIME_MS), LIFETIME_MS);
  if ((await countPendingCheckouts(tx, organizationId)) >= MAX_PENDING) throw tooManyPending();
  const checkout: CheckoutRow = {
    organization_id: organizationId,
    id: newId(),
    amount_sar: amountSar,
    status: 'pending',
    payment_id: null,
    created_by: actor.name,
    created: now,
    finished: null,
  };
  await insertCheckout(tx, checkout);
  const entry = { action: 'open-payment', resource: 'Settings', resourceId: checkout.id };
  await recordAudit(tx, organizationId, actor, [entry], now);
  return checkout;
}

export async function getCheckout(sql: Queryable, organizationId: string, id: string, now: Date): Promise<CheckoutRow> {
  const checkout = isId(id) ? await findCheckout(sql, organizationId, id) : undefined;
  if (checkout === undefined) throw checkoutNotFound(id);
  return checkoutAt(checkout, now);
}

export const checkoutNotFound = (id: string) => notFound('Payment not found', { id });
export const tooManyPending = () => conflict('Too many pending payments', { limit: MAX_PENDING });
