import {
  type Piece,
  plainArray,
  readFromGroup,
  type Tx,
  tenantTable,
  textArray,
  writeToGroup,
} from '../../../platform/database/index.ts';

/** A customer of the whole tenant or of a branch. */
export type CustomerKey = { organization_id: string; branch_id: string; customer_id: string };

/** In place of a branch id: the customers of the whole tenant. */
export const WHOLE_TENANT = '00000000-0000-0000-0000-000000000000';

export type SpendingMove = CustomerKey & { currency: string; orders: 1 | -1; amount: number };

/** All moves are of one group of tenants. */
export async function moveSpending(tx: Tx, moves: SpendingMove[]): Promise<void> {
  const tenant = tenantOf(moves);
  const plain = (column: Exclude<keyof SpendingMove, 'currency'>) =>
    tx`${plainArray(moves.map((move) => move[column]))}::text`;
  await writeToGroup(
    tx,
    tenant,
    tx`
    insert into ${tenantTable(tx, tenant, 'customer_spending')} as s (organization_id, branch_id, customer_id, currency, orders, spent)
    select organization_id, branch_id, customer_id, currency, sum(orders) as orders, sum(orders * amount) as spent
    from unnest(
      ${plain('organization_id')}::uuid[], ${plain('branch_id')}::uuid[], ${plain('customer_id')}::uuid[],
      ${textArray(moves.map((move) => move.currency))}::text::text[], ${plain('orders')}::int[], ${plain('amount')}::numeric[]
    ) as m (organization_id, branch_id, customer_id, currency, orders, amount)
    group by 1, 2, 3, 4
    having sum(orders) <> 0 or sum(orders * amount) <> 0
    on conflict (organization_id, branch_id, customer_id, currency)
    do update set orders = s.orders + excluded.orders, spent = s.spent + excluded.spent`,
  );
}

/** From all projected orders of a tenant, into a table without rows of the tenant. */
export async function sumSpending(tx: Tx, organizationId: string): Promise<void> {
  await tx`
    insert into customer_spending (organization_id, branch_id, customer_id, currency, orders, spent)
    select p.organization_id, scope.branch_id, p.customer_id, p.currency, count(*),
           coalesce(sum(p.amount) filter (where not p.is_cancelled and not p.is_refunded), 0)
    from projected_orders p
    cross join lateral (select ${WHOLE_TENANT}::uuid union select p.branch_id) as scope (branch_id)
    where p.organization_id = ${organizationId} and p.customer_id is not null and not p.is_deleted
    group by 1, 2, 3, 4`;
}

export function listSpenders(tx: Tx, organizationId: string): Promise<CustomerKey[]> {
  return tx<CustomerKey[]>`
    select distinct organization_id, branch_id, customer_id from customer_spending
    where organization_id = ${organizationId} order by 1, 2, 3`;
}

const keysInput = (tx: Tx, keys: CustomerKey[]) => tx`
  unnest(
    ${plainArray(keys.map((key) => key.organization_id))}::text::uuid[],
    ${plainArray(keys.map((key) => key.branch_id))}::text::uuid[],
    ${plainArray(keys.map((key) => key.customer_id))}::text::uuid[]
  ) as k (organization_id, branch_id, customer_id)`;

export async function forgetEmptySpending(tx: Tx, keys: CustomerKey[]): Promise<void> {
  const tenant = tenantOf(keys);
  await writeToGroup(
    tx,
    tenant,
    tx`
    delete from ${tenantTable(tx, tenant, 'customer_spending')} s using ${keysInput(tx, keys)}
    where s.organization_id = k.organization_id and s.branch_id = k.branch_id and s.customer_id = k.customer_id and s.orders = 0`,
  );
}

/** They are of one group of tenants. */
export function tenantOf([key]: readonly { organization_id: string }[]): string {
  return key?.organization_id ?? WHOLE_TENANT;
}

/** A customer as derived from its orders. Without times when no orders are left. */
export type CustomerFacts = CustomerKey & {
  first_order_at: Date | null;
  last_order_at: Date | null;
  currency: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
};

/** The number of latest orders that are searched for a name or an address when the latest lacks it. */
const ASKED_ORDERS = 20;

/**
 * Reads both ends of an index, so that a customer with a hundred thousand orders costs as much as one with three. Two parts,
 * because customers of the tenant and of a branch are found through different indexes.
 */
export async function readCustomerFacts(tx: Tx, keys: CustomerKey[]): Promise<CustomerFacts[]> {
  const ofTenant = keys.filter((key) => key.branch_id === WHOLE_TENANT);
  const ofBranches = keys.filter((key) => key.branch_id !== WHOLE_TENANT);
  const orders = tenantTable(tx, tenantOf(keys), 'projected_orders');
  type Row = Omit<CustomerFacts, 'first_order_at' | 'last_order_at'> &
    Record<'first_order_at' | 'last_order_at', Date | string | null>;
  const rows = await readFromGroup<Row>(
    tx,
    tenantOf(keys),
    tx`
    ${factsOf(tx, orders, ofTenant, tx`p.customer_id = k.customer_id`)}
    union all
    ${factsOf(tx, orders, ofBranches, tx`p.branch_id = k.branch_id and p.customer_id = k.customer_id and ${hasBranch(tx)}`)}`,
  );
  return rows.map((row) => ({
    ...row,
    first_order_at: timeOf(row.first_order_at),
    last_order_at: timeOf(row.last_order_at),
  }));
}

const timeOf = (value: Date | string | null) => (value === null ? null : new Date(value));

/** Always true of customers of a branch. The index contains orders with a branch only, and the planner uses it only if the condition says so. */
const hasBranch = (tx: Tx) => tx`p.branch_id <> '00000000-0000-0000-0000-000000000000'`;

function factsOf(tx: Tx, orders: Piece, keys: CustomerKey[], isTheirs: Piece) {
  const theirs = tx`
    from ${orders} p where p.organization_id = k.organization_id and ${isTheirs} and not p.is_deleted`;
  const latestOf = (column: string) => tx`
    (array_agg(r.${tx(column)} order by r.created_at desc, r.order_id desc) filter (where r.${tx(column)} is not null))[1]`;
  return tx`
    select k.organization_id, k.branch_id, k.customer_id, first.created_at as first_order_at, latest.*
    from ${keysInput(tx, keys)}
    left join lateral (
      select p.created_at ${theirs} order by p.created_at, p.order_id limit 1) first on true
    left join lateral (
      select max(r.created_at) as last_order_at, ${latestOf('currency')} as currency, ${latestOf('customer_name')} as name,
             ${latestOf('customer_phone')} as phone, ${latestOf('customer_email')} as email
      from (
        select p.created_at, p.order_id, p.currency, p.customer_name, p.customer_phone, p.customer_email ${theirs}
        order by p.created_at desc, p.order_id desc limit ${ASKED_ORDERS}::int) r) latest on true`;
}
