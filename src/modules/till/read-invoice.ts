import type { Sql } from '../../platform/database/index.ts';
import { notFound, type Problem } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { findOrders, type OrderOwner, orderNotFound } from '../orders/index.ts';
import type { Invoice } from './invoice.ts';
import { findInvoice } from './sql.ts';

/** Visible to accounts that see the order. For a deleted order, the branch that issued the invoice decides. */
export async function getInvoice(sql: Sql, owner: OrderOwner, orderId: string): Promise<Invoice> {
  if (!isId(orderId)) throw orderNotFound(orderId);
  const { organizationId, branchId } = owner;
  const [order] = await findOrders(sql, [{ organizationId, id: orderId }]);
  const invoice = await findInvoice(sql, organizationId, orderId);
  const itsBranch = order === undefined ? invoice?.branch_id : order.destination_id;
  const isSeen = branchId === null || branchId === itsBranch;
  if (!isSeen || (order === undefined && invoice === undefined)) throw orderNotFound(orderId);
  if (invoice === undefined) throw invoiceNotFound(orderId);
  return invoice;
}

export const invoiceNotFound = (orderId: string): Problem => notFound('Invoice not found', { id: orderId });
