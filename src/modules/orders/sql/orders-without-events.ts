import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';

export async function recordOrdersWithoutEvents(tx: Tx, organizationId: string): Promise<void> {
  await tx`insert into orders_without_events (organization_id) values (${organizationId}) on conflict do nothing`;
}

/** Takes a tenant that has orders without events off the list, if the caller's transaction commits. */
export async function takeOrdersWithoutEvents(tx: Tx): Promise<string | undefined> {
  const [row] = await tx<{ organization_id: string }[]>`
    delete from orders_without_events where organization_id = (
      select organization_id from orders_without_events order by organization_id limit 1 for update skip locked)
    returning organization_id`;
  return row?.organization_id;
}

/** Whether a tenant has orders that are not counted yet. True until the transaction that counts them has committed. */
export async function hasOrdersWithoutEvents(sql: Queryable): Promise<boolean> {
  return (await sql`select organization_id from orders_without_events limit 1`).length > 0;
}

/** For the due poll. */
export const isAnyWithoutEvents = (sql: Queryable): Piece => sql`exists (select from orders_without_events)`;
