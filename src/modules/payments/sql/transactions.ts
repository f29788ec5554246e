import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';
import type { PaymentStatus } from '../../../providers/contract.ts';
import { isOfBranch } from './is-of-branch.ts';

export type MatchedBy = 'reference' | 'amount_and_time' | 'hand';

/** A row of `gateway_transactions`. */
export type TransactionRow = {
  organization_id: string;
  id: string;
  provider: string;
  organization_app_id: string;
  provider_reference: string;
  parent_reference: string | null;
  merchant_reference: string | null;
  order_id: string | null;
  matched_by: MatchedBy | null;
  amount: number;
  currency: string;
  status: PaymentStatus;
  fee: number | null;
  refunded_amount: number;
  occurred_at: Date;
  /** Read back at the gateway, or signed in full. An unverified one is listed, changes no order by itself and can be matched by hand. */
  is_verified: boolean;
  created: Date;
  updated: Date;
};

const columns = (sql: Queryable) => sql`
  t.organization_id, t.id, t.provider, t.organization_app_id, t.provider_reference, t.parent_reference, t.merchant_reference,
  t.order_id, t.matched_by, t.amount, t.currency, t.status, t.fee, t.refunded_amount, t.occurred_at, t.is_verified,
  t.created, t.updated`;

/** The first report of a transaction. False if it is stored already. */
export async function insertTransaction(sql: Queryable, row: TransactionRow): Promise<boolean> {
  const placed = await sql`
    insert into gateway_transactions (organization_id, id, provider, organization_app_id, provider_reference,
      parent_reference, merchant_reference, amount, currency, status, fee, refunded_amount, occurred_at, is_verified,
      created, updated)
    values (${row.organization_id}, ${row.id}, ${row.provider}, ${row.organization_app_id}, ${row.provider_reference},
            ${row.parent_reference}, ${row.merchant_reference}, ${row.amount}, ${row.currency}, ${row.status}, ${row.fee},
            ${row.refunded_amount}, ${row.occurred_at}, ${row.is_verified}, ${row.created}, ${row.updated})
    on conflict (organization_id, organization_app_id, provider_reference) do nothing
    returning 1`;
  return placed.length > 0;
}

export async function lockTransactionByReference(
  tx: Tx,
  { organizationId, installId, reference }: { organizationId: string; installId: string; reference: string },
): Promise<TransactionRow | undefined> {
  const [row] = await tx<TransactionRow[]>`
    select ${columns(tx)} from gateway_transactions t
    where t.organization_id = ${organizationId} and t.organization_app_id = ${installId}
      and t.provider_reference = ${reference} for update`;
  return row;
}

/** The order of another transaction of the same install, such as the payment that a refund belongs to. */
export async function findOrderOfTransaction(
  tx: Tx,
  { organizationId, installId, reference }: { organizationId: string; installId: string; reference: string },
): Promise<string | undefined> {
  const [row] = await tx<{ order_id: string | null }[]>`
    select order_id from gateway_transactions
    where organization_id = ${organizationId} and organization_app_id = ${installId} and provider_reference = ${reference}`;
  return row?.order_id ?? undefined;
}

export async function lockTransaction(tx: Tx, organizationId: string, id: string): Promise<TransactionRow | undefined> {
  const [row] = await tx<TransactionRow[]>`
    select ${columns(tx)} from gateway_transactions t where t.organization_id = ${organizationId} and t.id = ${id} for update`;
  return row;
}

export async function updateTransaction(tx: Tx, row: TransactionRow): Promise<void> {
  await tx`
    update gateway_transactions set
      order_id = ${row.order_id}, matched_by = ${row.matched_by}, amount = ${row.amount}, currency = ${row.currency},
      status = ${row.status}, fee = ${row.fee}, refunded_amount = ${row.refunded_amount},
      merchant_reference = ${row.merchant_reference}, parent_reference = ${row.parent_reference},
      occurred_at = ${row.occurred_at}, is_verified = ${row.is_verified}, updated = ${row.updated}
    where organization_id = ${row.organization_id} and id = ${row.id}`;
}

/** The refunded amount of an order: refunded payments, refunded parts, and refunds that are transactions of their own. */
export async function sumRefunds(tx: Tx, organizationId: string, orderId: string): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select coalesce(sum(case when status = 'refunded' then amount else refunded_amount end), 0) as total
    from gateway_transactions where organization_id = ${organizationId} and order_id = ${orderId}`;
  return row?.total ?? 0;
}

/** Whether a transaction has paid the order, be it refunded by now. */
export async function hasTransaction(tx: Tx, organizationId: string, orderId: string): Promise<boolean> {
  const found = await tx`
    select from gateway_transactions
    where organization_id = ${organizationId} and order_id = ${orderId} and status in ('paid', 'refunded') limit 1`;
  return found.length > 0;
}

/** Some gateways void a payment by a transaction of its own. */
const voidOf = (tx: Tx, row: Piece) => tx`
  select from gateway_transactions v
  where v.organization_id = ${row}.organization_id and v.organization_app_id = ${row}.organization_app_id
    and v.parent_reference = ${row}.provider_reference and v.status = 'cancelled' and v.is_verified
    and v.amount >= ${row}.amount`;

/** Whether another transaction voids all of this one. */
export async function isVoided(tx: Tx, { organization_id, id }: TransactionRow): Promise<boolean> {
  const found = await tx`
    select from gateway_transactions t
    where t.organization_id = ${organization_id} and t.id = ${id} and exists (${voidOf(tx, tx`t`)})`;
  return found.length > 0;
}

/** Whether a transaction of the order is paid, and not voided. */
export async function hasPayment(tx: Tx, organizationId: string, orderId: string): Promise<boolean> {
  const found = await tx`
    select from gateway_transactions t
    where t.organization_id = ${organizationId} and t.order_id = ${orderId} and t.status = 'paid'
      and not exists (${voidOf(tx, tx`t`)}) limit 1`;
  return found.length > 0;
}

export type TransactionFilter = {
  organizationId: string;
  branchId: string | null;
  provider: string | undefined;
  status: string | undefined;
  unmatched: boolean;
};

export async function listTransactions(
  sql: Queryable,
  filter: TransactionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: TransactionRow[]; total: number }> {
  const { branchId } = filter;
  const where = sql`
    t.organization_id = ${filter.organizationId}
    ${filter.provider === undefined ? sql`` : sql`and t.provider = ${filter.provider}`}
    ${filter.status === undefined ? sql`` : sql`and t.status = ${filter.status}`}
    ${filter.unmatched ? sql`and t.order_id is null` : sql``}
    ${
      branchId === null
        ? sql``
        : sql`and ${isOfBranch(sql, { organizationId: filter.organizationId, branchId }, sql`t.order_id`)}`
    }`;
  const rows = await sql<TransactionRow[]>`
    select ${columns(sql)} from gateway_transactions t where ${where}
    order by t.created desc, t.id desc limit ${limit} offset ${offset}`;
  const [counted] = await sql<{ total: number }[]>`select count(*) as total from gateway_transactions t where ${where}`;
  return { rows, total: counted?.total ?? 0 };
}

/** Only a single candidate is matched, so more rows are not needed to know that a reference is ambiguous. */
const MAX_CANDIDATES = 20;

/** Orders that match a merchant reference: by id, by number at the source, or by code within the day of the code. */
export async function findOrdersByReference(
  tx: Tx,
  organizationId: string,
  reference: string,
  { id, codeDay }: { id: string | null; codeDay: Date | null },
): Promise<{ id: string; total_amount: number; currency: string }[]> {
  const dayEnds = codeDay === null ? null : new Date(codeDay.getTime() + 86_400_000);
  return tx<{ id: string; total_amount: number; currency: string }[]>`
    select id, total_amount, currency from orders where organization_id = ${organizationId} and id = ${id}
    union
    (select id, total_amount, currency from orders
     where organization_id = ${organizationId} and source_reference = ${reference} limit ${MAX_CANDIDATES})
    union
    (select id, total_amount, currency from orders
     where organization_id = ${organizationId} and created_at >= ${codeDay} and created_at < ${dayEnds}
       and order_code = ${reference} limit ${MAX_CANDIDATES})`;
}

export async function findOrdersByAmount(
  tx: Tx,
  organizationId: string,
  { amount, currency, from, to }: { amount: number; currency: string; from: Date; to: Date },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from orders
    where organization_id = ${organizationId} and created_at >= ${from} and created_at <= ${to}
      and total_amount = ${amount} and currency = ${currency} limit 2`;
  return rows.map(({ id }) => id);
}
