import { plainArray, type Queryable, type Tx, textArray } from '../../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../../platform/http/paging.ts';
import type { CustomerKey } from './spending.ts';
import { type WrittenCustomer, writeByStatement } from './write-by-statement.ts';

export type { WrittenCustomer } from './write-by-statement.ts';

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

/** Writes customers, deletes those without orders, and updates the totals of the lists of tenant and branch. */
export async function writeCustomers(tx: Tx, present: WrittenCustomer[], gone: CustomerKey[]): Promise<void> {
  if (tx.layout.isDistributed) return writeByStatement(tx, present, gone);
  const plain = (column: Exclude<keyof WrittenCustomer, TextColumn>) =>
    tx`${plainArray(present.map((customer) => customer[column]))}::text`;
  const text = (column: TextColumn) => tx`${textArray(present.map((customer) => customer[column]))}::text::text[]`;
  // Slot 0 only: the caller holds the lock of the follower, so there is no other writer.
  await tx`
    with written as (
      insert into customers as c
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
        from customer_spending s
        where s.organization_id = w.organization_id and s.branch_id = w.branch_id and s.customer_id = w.customer_id) s
      on conflict (organization_id, branch_id, id) do update set
        name = excluded.name, phone = excluded.phone, email = excluded.email, orders = excluded.orders,
        spent = excluded.spent, currency = excluded.currency, first_order_at = excluded.first_order_at,
        last_order_at = excluded.last_order_at, search_words = excluded.search_words
      returning c.organization_id, c.branch_id, (c.xmax = 0)::int as change
    ), removed as (
      delete from customers c
      using unnest(
        ${gone.map((key) => key.organization_id)}::uuid[], ${gone.map((key) => key.branch_id)}::uuid[],
        ${gone.map((key) => key.customer_id)}::uuid[]) as g (organization_id, branch_id, id)
      where c.organization_id = g.organization_id and c.branch_id = g.branch_id and c.id = g.id
      returning c.organization_id, c.branch_id, -1 as change
    )
    insert into list_totals as t (organization_id, list, slot, total)
    select organization_id, 'customers ' || branch_id, 0, sum(change)
    from (select * from written union all select * from removed) moved
    group by 1, 2 having sum(change) <> 0
    on conflict (organization_id, list, slot) do update set total = t.total + excluded.total`;
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
