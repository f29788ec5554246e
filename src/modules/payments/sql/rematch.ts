import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';
import type { TransactionRow } from './transactions.ts';

/** Newest unmatched transactions of a tenant that one batch of events may mark. Bounds the statement for a tenant with many. */
const MAX_CANDIDATES = 500;

export type RematchWindow = { since: Date; withinMs: number };

/**
 * Marks the unmatched transactions that one of these orders may match by the rules of findMatch. It only preselects: each match is
 * decided later, with the data at that time. One statement for the events of all tenants; for tenants without unmatched
 * transactions, which is nearly all, it costs one lookup in a partial index.
 */
export async function markForRematch(
  tx: Tx,
  orders: readonly { organizationId: string; orderId: string }[],
  { since, withinMs }: RematchWindow,
): Promise<number> {
  const tenants = [...new Set(orders.map(({ organizationId }) => organizationId))];
  if (tx.layout.isDistributed && !(await isAnyWaiting(tx, tenants, since))) return 0;
  const arrived = tx.layout.isDistributed
    ? tx`
      select * from json_to_recordset(${await readArrived(tx, orders, tenants)}::text::json) as a
        (organization_id uuid, id uuid, order_code text, source_reference text, total_amount numeric, currency text,
         created_at timestamptz)`
    : tx`
      select ${arrivedColumns(tx)}
      from unnest(${orders.map(({ organizationId }) => organizationId)}::uuid[],
                  ${orders.map(({ orderId }) => orderId)}::uuid[]) as k (organization_id, id)
      join orders o on o.organization_id = k.organization_id and o.id = k.id
      where exists (select from waiting)`;
  const marked = await tx`
    with waiting as materialized (
      select t.* from unnest(${tenants}::uuid[]) as tenant (id)
      cross join lateral (
        select g.organization_id, g.id, g.merchant_reference, g.amount, g.currency, g.occurred_at
        from gateway_transactions g
        where g.organization_id = tenant.id and g.order_id is null and g.is_verified and g.created > ${since}
        order by g.created desc limit ${MAX_CANDIDATES}
      ) t
    ), arrived as materialized (${arrived}
    )
    update gateway_transactions g set match_due = true
    from waiting w
    where g.organization_id = w.organization_id and g.id = w.id and not g.match_due and g.order_id is null
      and exists (
        select from arrived a
        where a.organization_id = w.organization_id
          and (a.id::text = lower(w.merchant_reference) or a.order_code = w.merchant_reference
               or a.source_reference = w.merchant_reference
               or (a.total_amount = w.amount and a.currency = w.currency
                   and a.created_at between w.occurred_at - make_interval(secs => ${withinMs / 1000})
                                        and w.occurred_at + make_interval(secs => ${withinMs / 1000}))))
    returning 1`;
  return marked.length;
}

/** So that a cluster reads orders only where a transaction waits for one. */
async function isAnyWaiting(tx: Tx, tenants: string[], since: Date): Promise<boolean> {
  const waiting = await tx`
    select 1 from gateway_transactions
    where organization_id = any(${tenants}::uuid[]) and order_id is null and is_verified and created > ${since} limit 1`;
  return waiting.length > 0;
}

const arrivedColumns = (tx: Tx) =>
  tx`o.organization_id, o.id, o.order_code, o.source_reference, o.total_amount, o.currency, o.created_at`;

/** As JSON. On a cluster orders are with their tenant, transactions on the coordinator: the orders become values of the statement. */
async function readArrived(
  tx: Tx,
  orders: readonly { organizationId: string; orderId: string }[],
  tenants: string[],
): Promise<string> {
  const rows = await tx`
    select ${arrivedColumns(tx)} from orders o
    where o.organization_id = any(${tenants}::uuid[]) and o.id = any(${orders.map(({ orderId }) => orderId)}::uuid[])`;
  return JSON.stringify(rows);
}

/** A refund is matched through its payment, so it is retried once the payment is matched. */
export async function markRefundsOf(
  tx: Tx,
  payment: Pick<TransactionRow, 'organization_id' | 'organization_app_id' | 'provider_reference'>,
): Promise<void> {
  await tx`
    update gateway_transactions set match_due = true
    where organization_id = ${payment.organization_id} and organization_app_id = ${payment.organization_app_id}
      and parent_reference = ${payment.provider_reference} and order_id is null and is_verified`;
}

export type DueMatch = { organizationId: string; installId: string; id: string; reference: string };

/** For the due poll. */
export const isAnyMatchDue = (sql: Queryable, since: Date): Piece =>
  sql`exists (select from gateway_transactions where match_due and created > ${since})`;

/** A few of every tenant, oldest first, so that a tenant with many does not delay others. */
export function listDueMatches(
  sql: Queryable,
  { since, perTenant, limit }: { since: Date; perTenant: number; limit: number },
): Promise<DueMatch[]> {
  return sql<DueMatch[]>`
    select organization_id as "organizationId", organization_app_id as "installId", id, provider_reference as reference
    from (
      select organization_id, organization_app_id, id, provider_reference, created,
             row_number() over (partition by organization_id order by created) as nth
      from gateway_transactions where match_due and created > ${since}
    ) due
    where nth <= ${perTenant} order by nth, created limit ${limit}`;
}

export async function endRematch(sql: Queryable, { organizationId, id }: DueMatch): Promise<void> {
  await sql`update gateway_transactions set match_due = false where organization_id = ${organizationId} and id = ${id}`;
}
