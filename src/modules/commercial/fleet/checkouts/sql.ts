import type { Queryable, Tx } from '../../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../../platform/http/paging.ts';

export type CheckoutStatus = 'pending' | 'succeeded' | 'cancelled';
export type CheckoutRow = {
  organization_id: string;
  id: string;
  amount_sar: string;
  status: CheckoutStatus;
  payment_id: string | null;
  created_by: string;
  created: Date;
  finished: Date | null;
};

const columns = (sql: Queryable) => sql`
  organization_id, id, round(amount_sar, 2)::text as amount_sar, status, payment_id, created_by, created, finished`;

export async function insertCheckout(tx: Tx, checkout: CheckoutRow): Promise<void> {
  await tx`insert into billing_checkouts ${tx(checkout)}`;
}

export async function countPendingCheckouts(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*) as total from billing_checkouts where organization_id = ${organizationId} and status = 'pending'`;
  return row?.total ?? 0;
}

/** Ends those opened at or before this moment, each at the time it expired. */
export async function expireCheckouts(
  tx: Tx,
  organizationId: string,
  openedBy: Date,
  lifetimeMs: number,
): Promise<void> {
  await tx`
    update billing_checkouts
    set status = 'cancelled', finished = created + ${lifetimeMs}::double precision * interval '1 millisecond'
    where organization_id = ${organizationId} and status = 'pending' and created <= ${openedBy}`;
}

/** The newest first: ids follow the order in which they were opened. */
export function listCheckoutRows(sql: Queryable, organizationId: string, paging: Paging): Promise<CheckoutRow[]> {
  return sql<CheckoutRow[]>`
    select ${columns(sql)} from billing_checkouts where organization_id = ${organizationId}
    order by id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export async function countCheckouts(sql: Queryable, organizationId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from billing_checkouts where organization_id = ${organizationId}`;
  return row?.total ?? 0;
}

export async function findCheckout(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await sql<CheckoutRow[]>`
    select ${columns(sql)} from billing_checkouts where organization_id = ${organizationId} and id = ${id}`;
  return row;
}

export async function lockCheckout(tx: Tx, organizationId: string, id: string): Promise<CheckoutRow | undefined> {
  const [row] = await tx<CheckoutRow[]>`
    select ${columns(tx)} from billing_checkouts where organization_id = ${organizationId} and id = ${id} for update`;
  return row;
}

export async function finishCheckout(tx: Tx, checkout: CheckoutRow): Promise<void> {
  await tx`
    update billing_checkouts
    set status = ${checkout.status}, payment_id = ${checkout.payment_id}, finished = ${checkout.finished}
    where organization_id = ${checkout.organization_id} and id = ${checkout.id}`;
}
