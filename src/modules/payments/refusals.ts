import { conflict, forbidden, notFound, unprocessable } from '../../platform/http/problem.ts';
import { decimal, toText } from '../../platform/money.ts';
import type { Paylink } from './paylink.ts';

export const providerNotFound = (id: string) => notFound('Provider not found', { id });
export const paylinkNotFound = (id: string) => notFound('Paylink not found', { id });
export const transactionNotFound = (id: string) => notFound('Transaction not found', { id });

export const noPaylinks = (id: string) =>
  unprocessable({ provider: `${id} is a gateway whose transactions are synced; it makes no payment links` });
export const appNotInstalled = (appSlug: string) => conflict('App not installed', { app_slug: appSlug });
export const appNotEnabled = (appSlug: string, id: string) => conflict('App not enabled', { app_slug: appSlug, id });
export const sandboxOff = (appSlug: string) =>
  conflict('Sandbox not available', { app_slug: appSlug, sandbox: 'is for the demo alone' }).named('order-required');
export const underWay = (id: string) =>
  conflict('Payment is being changed', { id, hint: 'another request is at it; ask again in a moment' });
export const wrongState = (row: Pick<Paylink, 'id' | 'status'>, wanted: string) =>
  conflict('Paylink state does not allow this', { id: row.id, status: row.status, wanted });
export const beyondAmount = (left: string) => unprocessable({ amount: `is more than the ${left} that are left` });
export const wholeOnly = (left: string) => unprocessable({ amount: `must be ${left}: the provider captures no part` });
export const orderSettled = (orderId: string, paymentStatus: string) =>
  conflict('Order is settled', { order_id: orderId, payment_status: paymentStatus });
export const notAuthorised = (orderId: string, provider: string) =>
  conflict('Payment not authorised', { order_id: orderId, provider });
export const branchNeedsOrder = () =>
  forbidden({ order_id: 'is required: this account makes payment links for orders of its branch alone' }).named(
    'order-required',
  );

export const amountDiffers = (
  what: { amount: number; currency: string },
  order: { total_amount: number; currency: string },
) =>
  conflict('Amount differs', {
    transaction: `${toText(decimal(what.amount))} ${what.currency}`,
    order: `${toText(decimal(order.total_amount))} ${order.currency}`,
  });
