import type { Tx } from '../../../platform/database/index.ts';
import type { OutboxEntry } from '../../events/index.ts';
import type { Order } from '../order.ts';
import type { SearchColumns } from '../search/search-columns.ts';
import { orderColumns, writtenColumns } from './columns.ts';
import { insertChanges, writeChanges } from './insert-changes.ts';

/** Locks in order of id, so that two bulk calls over the same orders wait for each other and do not deadlock. */
export function lockOrders(tx: Tx, organizationId: string, ids: string[], branchId: string | null): Promise<Order[]> {
  return tx<Order[]>`
    select ${orderColumns(tx)} from orders o
    where o.organization_id = ${organizationId} and o.id = any(${ids}::uuid[])
      ${branchId === null ? tx`` : tx`and o.destination_id = ${branchId}`}
    order by o.id for update`;
}

/** Writes the new state of the orders and their events. */
export async function updateOrders(tx: Tx, orders: (Order & SearchColumns)[], entries: OutboxEntry[]): Promise<void> {
  if (tx.layout.isDistributed) return updateByStatement(tx, orders, entries);
  await tx`
    with input as materialized (
      select * from json_populate_recordset(null::orders, ${JSON.stringify(orders)}::text::json)
    ), ${insertChanges(tx, entries)}
    update orders o set ${writtenColumns(tx)}
    from input i where o.organization_id = i.organization_id and o.id = i.id`;
}

/** Routed by the tenants of the orders, which are of one group. */
async function updateByStatement(tx: Tx, orders: (Order & SearchColumns)[], entries: OutboxEntry[]): Promise<void> {
  await tx`
    update orders o set ${writtenColumns(tx)}
    from json_populate_recordset(null::orders, ${JSON.stringify(orders)}::text::json) i
    where o.organization_id = any(${[...new Set(orders.map((order) => order.organization_id))]}::uuid[])
      and o.organization_id = i.organization_id and o.id = i.id`;
  await writeChanges(tx, entries);
}

/** Payment facts that do not change the payment status. Clients cannot see them, so there is no event. */
export async function updatePaymentFacts(tx: Tx, organizationId: string, orders: Order[]): Promise<void> {
  await tx`
    update orders o set payment_facts = f.facts::jsonb
    from unnest(${orders.map(({ id }) => id)}::uuid[],
                ${orders.map(({ payment_facts }) => payment_facts && JSON.stringify(payment_facts))}::text[]) as f (id, facts)
    where o.organization_id = ${organizationId} and o.id = f.id`;
}

/** Events of orders that do not change. */
export async function insertEvents(tx: Tx, entries: OutboxEntry[]): Promise<void> {
  if (tx.layout.isDistributed) return writeChanges(tx, entries);
  await tx`
    with ${insertChanges(tx, entries)} select 1`;
}

export async function deleteOrders(
  tx: Tx,
  organizationId: string,
  ids: string[],
  entries: OutboxEntry[],
): Promise<void> {
  if (tx.layout.isDistributed) {
    await writeChanges(tx, entries);
    await tx`delete from orders where organization_id = ${organizationId} and id = any(${ids}::uuid[])`;
    return;
  }
  await tx`
    with ${insertChanges(tx, entries)}
    delete from orders where organization_id = ${organizationId} and id = any(${ids}::uuid[])`;
}
