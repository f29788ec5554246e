import { conflict, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import type { Actor } from '../audit/index.ts';
import { findOrders, type Order, type OrderOwner, orderNotFound } from '../orders/index.ts';
import { capturePaylink } from './capture-paylink.ts';
import { getPaylinkProvider, getProviderInstallOf } from './find-provider.ts';
import { onceWithoutKey } from './once.ts';
import type { Paying } from './paying.ts';
import { isPaid, type Paylink } from './paylink.ts';
import { keyOf, refreshPaylink } from './read-back.ts';
import { notAuthorised } from './refusals.ts';
import { findPaylinkOfOrder } from './sql/paylinks.ts';
import { findPaymentOrder, type PaymentOrder } from './sql/payment-orders.ts';
import { isPriceOf } from './write-state.ts';

/** Another branch's order, and an order that was not made to be paid here, do not exist. */
export async function getPaymentOrder(
  { sql }: Pick<Paying, 'sql'>,
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

/** Asks the provider whether the customer has agreed, and captures. Asking again finds it done. */
export async function confirmPaymentOrder(
  paying: Paying,
  owner: OrderOwner,
  id: string,
  providerId: string,
  actor: Actor,
) {
  const { order, paymentOrder } = await getPaymentOrder(paying, owner, id);
  if (!paymentOrder.accepted_gateways.includes(providerId)) {
    throw unprocessable({ provider: `must be one of ${paymentOrder.accepted_gateways.join(', ')}` });
  }
  const provider = getPaylinkProvider(providerId);
  const row = await findPaylinkOfOrder(paying.sql, {
    organizationId: owner.organizationId,
    orderId: order.id,
    provider: provider.id,
  });
  if (row === undefined) throw notAuthorised(order.id, provider.id);
  const paid = isPaid(row, row.amount) ? row : await capture(paying, order, row, actor);
  // A part was captured and the rest given up.
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

async function capture(paying: Paying, order: Order, row: Paylink, actor: Actor): Promise<Paylink> {
  if (!isPriceOf(row, order)) {
    throw conflict('Amount differs', { order_id: order.id, hint: 'the order costs something else by now' });
  }
  const providerInstall = await getProviderInstallOf(paying, row);
  const { status } = await refreshPaylink(paying, providerInstall, row, actor);
  if (status !== 'authorized' && status !== 'captured') throw notAuthorised(order.id, row.provider);
  return capturePaylink(paying, keyOf(row), null, { actor }, onceWithoutKey<Paylink>(paying));
}
