import type { Queryable, Tx } from '../../../platform/database/index.ts';

export async function recordOrdersWithoutEvents(tx: Tx, organizationId: string): Promise<void> {
  await tx`insert into untold_orders (organization_id) values (${organizationId}) on conflict do nothing`;
}

/** A tenant with orders of which no event tells; taken off the list if the caller's transaction succeeds. */
export async function takeOrdersWithoutEvents(tx: Tx): Promise<string | undefined> {
  const [row] = await tx<{ organization_id: string }[]>`
    delete from untold_orders where organization_id = (
      select organization_id from untold_orders order by organization_id limit 1 for update skip locked)
    returning organization_id`;
  return row?.organization_id;
}

/** Whether any tenant has orders that are not counted yet; true until the transaction that counts them has committed. */
export async function hasOrdersWithoutEvents(sql: Queryable): Promise<boolean> {
  return (await sql`select organization_id from untold_orders limit 1`).length > 0;
}
