import {
  plainArray,
  type Queryable,
  runOnGroup,
  type Tx,
  tenantTable,
  textArray,
} from '../../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../../platform/http/paging.ts';
import { type CustomerKey, tenantOf } from './spending.ts';

export type WrittenCustomer = CustomerKey & {
  name: string | null;
  phone: string | null;
  email: string | null;
  currency: string;
  first_order_at: Date;
  last_order_at: Date;
  /** A `tsvector` in text form. */
  search_words: string | null;
};

export type CustomerRow = {
  id: string;
  name: string | null;
  phone: string | null;
  email: string | null;
  orders: number;
  spent: number;
  currency: string;
  first_order_at: Date;
  last_order_at: Date;
};

/** The customers that a caller may read: those of the tenant or of a branch. */
export type CustomerScope = { organizationId: string; branchId: string };

export const SORT_COLUMNS = ['last_order_at', 'first_order_at', 'orders', 'spent', 'name'] as const;
export type CustomerSort = Sort<(typeof SORT_COLUMNS)[number]>;

type TextColumn = 'name' | 'phone' | 'email' | 'currency' | 'search_words';

/**
 * Writes customers of a group of tenants, deletes those without orders, and updates the totals of the lists of tenant and branch, which a cluster
 * has on its coordinator. Slot 0 only: the caller holds the lock of the follower, so there is no other writer.
 */
export async function writeCustomers(tx: Tx, present: WrittenCustomer[], gone: CustomerKey[]): Promise<void> {
  const onConflict = tx`on conflict (organization_id, list, slot) do update set total = t.total + excluded.total`;
  if (!tx.layout.isDistributed) {
    await tx`
      ${changing(tx, present, gone)}
      insert into list_totals as t (organization_id, list, slot, total)
      select organization_id, 'customers ' || branch_id, 0, change from changed
      ${onConflict}`;
    return;
  }
  const group = tx.layout.groupOf(tenantOf([...present, ...gone]));
  const change = tx`${changing(tx, present, gone)} select coalesce(json_agg(c), '[]')::text from changed c`;
  const changed = (await runOnGroup(tx, group, change)) ?? '[]';
  if (changed === '[]') return;
  await tx`
    insert into list_totals as t (organization_id, list, slot, total)
    select organization_id, 'customers ' || branch_id, 0, change
    from json_to_recordset(${changed}::text::json) as c (organization_id uuid, branch_id uuid, change bigint)
    ${onConflict}`;
}

/** The CTEs, the last of which has by how much each list has grown. */
function changing(tx: Tx, present: WrittenCustomer[], gone: CustomerKey[]) {
  const tenant = tenantOf([...present, ...gone]);
  const table = (name: string) => tenantTable(tx, tenant, name);
  const plain = (column: Exclude<keyof WrittenCustomer, TextColumn>) =>
    tx`${plainArray(present.map((customer) => customer[column]))}::text`;
  const text = (column: TextColumn) => tx`${textArray(present.map((customer) => customer[column]))}::text::text[]`;
  return tx`
    with written as (
      insert into ${table('customers')} as c
        (organization_id, branch_id, id, name, phone, email, orders, spent, currency, first_order_at, last_order_at,
         search_words)
      select w.organization_id, w.branch_id, w.customer_id, w.name, w.phone, w.email, s.orders, s.spent, w.currency,
             w.first_order_at, w.last_order_at, w.search_words::tsvector
      from unnest(
        ${plain('organization_id')}::uuid[], ${plain('branch_id')}::uuid[], ${plain('customer_id')}::uuid[], ${text('name')},
        ${text('phone')}, ${text('email')}, ${text('currency')}, ${plain('first_order_at')}::timestamptz[],
        ${plain('last_order_at')}::timestamptz[], ${text('search_words')}
      ) as w (organization_id, branch_id, customer_id, name, phone, email, currency, first_order_at, last_order_at, search_words)
      cross join lateral (
        select sum(s.orders) as orders, coalesce(sum(s.spent) filter (where s.currency = w.currency), 0) as spent
        from ${table('customer_spending')} s
        where s.organization_id = w.organization_id and s.branch_id = w.branch_id and s.customer_id = w.customer_id) s
      on conflict (organization_id, branch_id, id) do update set
        name = excluded.name, phone = excluded.phone, email = excluded.email, orders = excluded.orders,
        spent = excluded.spent, currency = excluded.currency, first_order_at = excluded.first_order_at,
        last_order_at = excluded.last_order_at, search_words = excluded.search_words
      returning c.organization_id, c.branch_id, (c.xmax = 0)::int as change
    ), removed as (
      delete from ${table('customers')} c
      using unnest(
        ${gone.map((key) => key.organization_id)}::uuid[], ${gone.map((key) => key.branch_id)}::uuid[],
        ${gone.map((key) => key.customer_id)}::uuid[]) as g (organization_id, branch_id, id)
      where c.organization_id = g.organization_id and c.branch_id = g.branch_id and c.id = g.id
      returning c.organization_id, c.branch_id, -1 as change
    ), changed as (
      select organization_id, branch_id, sum(change) as change
      from (select * from written union all select * from removed) moved
      group by 1, 2 having sum(change) <> 0
    )`;
}

/** The list whose total `writeCustomers` updates. */
export const totalsList = (branchId: string) => `customers ${branchId}`;

export async function clearCustomers(tx: Tx, organizationId: string): Promise<void> {
  await tx`delete from customers where organization_id = ${organizationId}`;
  await tx`delete from customer_spending where organization_id = ${organizationId}`;
  await tx`delete from list_totals where organization_id = ${organizationId} and list like 'customers %'`;
}

const columns = (sql: Queryable) => sql`
  id, name, phone, email, orders, spent, currency, first_order_at, last_order_at`;

/** `query` is a `tsquery` in text form. As a subquery, the planner does not look into it: the plan for any text is kept. */
const within = (sql: Queryable, scope: CustomerScope, query?: string) => sql`
  organization_id = ${scope.organizationId} and branch_id = ${scope.branchId}
  ${query === undefined ? sql`` : sql`and search_words @@ (select ${query}::tsquery)`}`;

function inOrder(sql: Queryable, { column, descending }: CustomerSort) {
  const direction = descending ? sql`desc` : sql`asc`;
  // Only the name may be null; customers with a name come first.
  const unnamed = column === 'name' ? sql`nulls last` : sql``;
  return sql`${sql(column)} ${direction} ${unnamed}, id ${direction}`;
}

export function listCustomers(
  sql: Queryable,
  scope: CustomerScope,
  query: string | undefined,
  sort: CustomerSort,
  paging: Paging,
): Promise<CustomerRow[]> {
  return sql<CustomerRow[]>`
    select ${columns(sql)} from customers
    where ${within(sql, scope, query)}
    order by ${inOrder(sql, sort)}
    limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export async function listCustomerIds(
  sql: Queryable,
  scope: CustomerScope,
  query: string | undefined,
  sort: CustomerSort,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from customers
    where ${within(sql, scope, query)}
    order by ${inOrder(sql, sort)} limit ${limit}`;
  return rows.map(({ id }) => id);
}

export function findCustomersByIds(sql: Queryable, scope: CustomerScope, ids: string[]): Promise<CustomerRow[]> {
  return sql<CustomerRow[]>`
    select ${columns(sql)} from customers where ${within(sql, scope)} and id = any(${ids}::uuid[])`;
}

export async function countCustomers(sql: Queryable, scope: CustomerScope, query: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from customers where ${within(sql, scope, query)}`;
  return row?.total ?? 0;
}

export async function findCustomer(sql: Queryable, scope: CustomerScope, id: string): Promise<CustomerRow | undefined> {
  const [row] = await sql<CustomerRow[]>`
    select ${columns(sql)} from customers where ${within(sql, scope)} and id = ${id}`;
  return row;
}
