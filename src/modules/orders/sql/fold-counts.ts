import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';
import { type StatusCombination, WHOLE_TENANT } from './counts.ts';

/**
 * Adds deltas to the counts of their tenants and branches, and deletes them. Returns how many. Takes them in no particular order: they
 * are sums. Slot 0 only; rows with other slots are from releases in which writers changed the counts themselves.
 */
export async function foldDeltas(tx: Tx, limit: number): Promise<number> {
  const [row] = await tx<{ folded: number }[]>`
    with taken as (
      delete from order_count_deltas
      where ctid = any(array(select ctid from order_count_deltas limit ${limit}))
      returning *
    ), counted as (
      select organization_id, ${WHOLE_TENANT}::uuid as destination_id, order_status, payment_status, fulfillment_status, source,
             currency, by
      from taken
      union all
      select organization_id, destination_id, order_status, '', '', '', '', by from taken where destination_id is not null
    ), added as (
      insert into order_counts as c
        (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot, total)
      select organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, 0, sum(by)
      from counted group by 1, 2, 3, 4, 5, 6, 7 having sum(by) <> 0
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot)
      do update set total = c.total + excluded.total
    )
    select count(*) as folded from taken`;
  return row?.folded ?? 0;
}

/** The same for one tenant of a cluster. Its statements are routed to the tenant's shard. */
export async function foldDeltasOf(tx: Tx, organizationId: string): Promise<void> {
  const taken = await tx<(StatusCombination & { destination_id: string | null; by: number })[]>`
    delete from order_count_deltas where organization_id = ${organizationId}
    returning destination_id, order_status, payment_status, fulfillment_status, source, currency, by`;
  const rows = taken.flatMap(({ by, destination_id, ...statuses }) => {
    const ofTenant = { organization_id: organizationId, destination_id: WHOLE_TENANT, ...statuses, total: by };
    if (destination_id === null) return [ofTenant];
    const { order_status } = statuses;
    const others = { payment_status: '', fulfillment_status: '', source: '', currency: '' };
    return [ofTenant, { organization_id: organizationId, destination_id, order_status, ...others, total: by }];
  });
  if (rows.length === 0) return;
  await tx`
    insert into order_counts as c
      (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot, total)
    select organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, 0, sum(total)
    from json_populate_recordset(null::order_counts, ${JSON.stringify(rows)}::text::json)
    group by 1, 2, 3, 4, 5, 6, 7 having sum(total) <> 0 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot)
    do update set total = c.total + excluded.total`;
}

/** Of all shards of a cluster. */
export async function listTenantsWithDeltas(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select distinct organization_id from order_count_deltas limit ${limit}`;
  return rows.map((row) => row.organization_id);
}

/** For the due poll of one server. */
export const isAnyDelta = (sql: Queryable): Piece => sql`exists (select from order_count_deltas)`;
