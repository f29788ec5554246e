import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type ForecastState = {
  changes: number;
  known_changes: number;
  for_day: string | null;
  refreshed_at: Date | null;
  pass: number;
  pass_day: string | null;
  /** Null while no pass is under way. */
  pass_done_to: string | null;
  pooled: unknown;
};

export async function findForecastState(sql: Queryable, organizationId: string): Promise<ForecastState | undefined> {
  const [row] = await sql<ForecastState[]>`
    select changes, known_changes, for_day::text, refreshed_at, pass, pass_day::text, pass_done_to, pooled
    from forecast_states where organization_id = ${organizationId}`;
  return row;
}

/** Whether any organization still waits for the first forecasts it is to have. */
export async function areFirstForecastsPending(sql: Queryable): Promise<boolean> {
  return (await sql`select organization_id from forecast_states where refreshed_at is null limit 1`).length > 0;
}

/** Records a change that the forecasts do not include yet. Returns the number of all changes. */
export async function noteChange(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx<[{ changes: number }]>`
    insert into forecast_states as f (organization_id, changes) values (${organizationId}, 1)
    on conflict (organization_id) do update set changes = f.changes + 1
    returning changes`;
  return row.changes;
}

/** Starts a pass at the first SKU. A running pass for an earlier day is abandoned. */
export async function beginPass(
  sql: Queryable,
  organizationId: string,
  { day, pooled }: { day: string; pooled: string },
): Promise<number> {
  const [row] = await sql<[{ pass: number }]>`
    insert into forecast_states as f (organization_id, pass, pass_day, pass_changes, pass_done_to, pooled)
    values (${organizationId}, 1, ${day}, 0, '', ${pooled}::text::json)
    on conflict (organization_id) do update
      set pass = f.pass + 1, pass_day = excluded.pass_day, pass_changes = f.changes, pass_done_to = excluded.pass_done_to,
          pooled = excluded.pooled
    returning pass`;
  return row.pass;
}

/** False when the pass is no longer the one under way. */
export async function movePass(tx: Tx, organizationId: string, pass: number, doneTo: string): Promise<boolean> {
  const moved = await tx`
    update forecast_states set pass_done_to = ${doneTo}
    where organization_id = ${organizationId} and pass = ${pass} and pass_done_to is not null`;
  return moved.count > 0;
}

export async function endPass(tx: Tx, organizationId: string, pass: number, now: Date): Promise<boolean> {
  const ended = await tx`
    update forecast_states
    set for_day = pass_day, refreshed_at = ${now}, known_changes = pass_changes, pass_day = null, pass_changes = null,
        pass_done_to = null
    where organization_id = ${organizationId} and pass = ${pass} and pass_done_to is not null`;
  return ended.count > 0;
}

export type ForecastedOrganization = {
  id: string;
  time_zone: string;
  for_day: string | null;
  has_changes: boolean;
  has_moved_stock: boolean;
};

/**
 * Organizations that have any demand, and what their forecasts do not know of. Looking for moved stock reads all SKUs of
 * those where none has, some 5 ms for 10,000; so it is asked once an hour.
 */
export function listForecastedOrganizations(sql: Queryable): Promise<ForecastedOrganization[]> {
  return sql<ForecastedOrganization[]>`
    select o.id, o.time_zone, f.for_day::text, coalesce(f.changes <> f.known_changes, false) as has_changes,
           exists (
             select from forecasts c
             join skus s on s.organization_id = c.organization_id and s.iv_id = c.sku_iv_id
             where c.organization_id = o.id and s.updated <> c.sku_updated) as has_moved_stock
    from organizations o left join forecast_states f on f.organization_id = o.id
    where exists (select from daily_product_sales d where d.organization_id = o.id)
       or exists (select from demand_days d where d.organization_id = o.id)
    order by o.id`;
}
