import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { OrderOwner } from '../ordering.ts';

/** Whether the order exists for this account. Reads its key only: an order may have 256 kB. */
export async function orderExists(sql: Queryable, owner: OrderOwner, id: string): Promise<boolean> {
  const rows = await sql`select from orders o where ${isOrder(sql, owner, id)}`;
  return rows.length > 0;
}

/**
 * Until the end of the transaction no other one writes notes or tags of this order or deletes it. Changes of the order wait for it too,
 * but foreign keys that refer to the order do not.
 */
export async function lockOrderKey(tx: Tx, owner: OrderOwner, id: string): Promise<boolean> {
  const rows = await tx`select from orders o where ${isOrder(tx, owner, id)} for no key update`;
  return rows.length > 0;
}

function isOrder(sql: Queryable, { organizationId, branchId }: OrderOwner, id: string) {
  return sql`o.organization_id = ${organizationId} and o.id = ${id}
             ${branchId === null ? sql`` : sql`and o.destination_id = ${branchId}`}`;
}
