import { conflict, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import type { Actor } from '../audit/index.ts';
import { findOrders, type Order, type OrderOwner, orderNotFound } from '../orders/index.ts';
import { capturePaylink } from './capture-paylink.ts';
import { getPaylinkProvider, getProviderInstallOf } from './find-provider.ts';
import { callWithoutKey } from './idempotent-call.ts';
import { isPaid, type Paylink } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import { keyOf, refreshPaylink } from './read-back.ts';
import { notAuthorised } from './refusals.ts';
import { findPaylinkOfOrder } from './sql/paylinks.ts';
import { findPaymentOrder, type PaymentOrder } from './sql/payment-orders.ts';
import { isPriceOf } from './write-state.ts';

/** 404 for an order of another branch, and for one that POST /payments/orders did not create. */
export async function getPaymentOrder(
  { sql }: Pick<PaymentContext, 'sql'>,
  owner: OrderOwner,
  id: string,
): Promise<{ order: Order; paymentOrder: PaymentOrder }> {
  if (!isId(id)) throw orderNotFound(id);
  const paymentOrder = await findPaymentOrder(sql, owner.organizationId, id);
  const [order] = paymentOrder ? await findOrders(sql, [{ organizationId: owner.organizationId, id }]) : [];
  if (paymentOrder === undefined || order === undefined) throw orderNotFound(id);
  if (owner.branchId !== null && order.destination_id !== owner.branchId) throw orderNotFound(id);
  return { order, paymentOrder };
}

/** Reads the payment back and captures it if the customer has authorised it. Idempotent. */
export async function confirmPaymentOrder(
  payments: PaymentContext,
  owner: OrderOwner,
  id: string,
  providerId: string,
  actor: Actor,
) {
  const { order, paymentOrder } = await getPaymentOrder(payments, owner, id);
  if (!paymentOrder.accepted_gateways.includes(providerId)) {
    throw unprocessable({ provider: `must be one of ${paymentOrder.accepted_gateways.join(', ')}` });
  }
  const provider = getPaylinkProvider(providerId);
  const row = await findPaylinkOfOrder(payments.sql, {
    organizationId: owner.organizationId,
    orderId: order.id,
    provider: provider.id,
  });
  if (row === undefined) throw notAuthorised(order.id, provider.id);
  const paid = isPaid(row, row.amount) ? row : await capture(payments, order, row, actor);
  // A part was captured and the rest cancelled.
  if (!isPaid(paid, paid.amount)) throw notAuthorised(order.id, provider.id);
  return {
    order_id: order.id,
    provider: provider.id,
    status: 'completed' as const,
    confirmed_app: provider.app.slug,
    confirm_endpoint: `/api/v1/providers/${provider.id}/paylinks/${paid.id}/capture`,
    confirm_method: 'POST' as const,
    requires_qr_sms: paid.needs_phone,
  };
}

async function capture(payments: PaymentContext, order: Order, row: Paylink, actor: Actor): Promise<Paylink> {
  if (!isPriceOf(row, order)) {
    throw conflict('Amount differs', { order_id: order.id, hint: 'the order costs something else by now' });
  }
  const providerInstall = await getProviderInstallOf(payments, row);
  const { status } = await refreshPaylink(payments, providerInstall, row, actor);
  if (status !== 'authorized' && status !== 'captured') throw notAuthorised(order.id, row.provider);
  return capturePaylink(payments, keyOf(row), null, { actor }, callWithoutKey<Paylink>(payments));
}
