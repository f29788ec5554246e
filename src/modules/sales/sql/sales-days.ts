import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type SalesDay = { organization_id: string; local_day: string };

/** Records that these days changed. The caller holds the lock of the follower. */
export async function markDays(tx: Tx, days: readonly SalesDay[]): Promise<void> {
  if (days.length === 0) return;
  await tx`
    insert into sales_days (organization_id, local_day, version)
    select d.organization_id, d.local_day,
           1 + coalesce((select max(s.version) from sales_days s where s.organization_id = d.organization_id), 0)
    from (select distinct organization_id, local_day
          from unnest(${days.map((day) => day.organization_id)}::uuid[], ${days.map((day) => day.local_day)}::date[])
            as days (organization_id, local_day)) d
    on conflict (organization_id, local_day) do update set version = excluded.version`;
}

/** All days with sales, now and before. */
export async function markAllDays(tx: Tx, organizationId: string): Promise<void> {
  await tx`
    insert into sales_days (organization_id, local_day, version)
    select ${organizationId}, local_day,
           1 + coalesce((select max(version) from sales_days where organization_id = ${organizationId}), 0)
    from (select local_day from daily_sales where organization_id = ${organizationId}
          union select local_day from sales_days where organization_id = ${organizationId}) days
    on conflict (organization_id, local_day) do update set version = excluded.version`;
}

/** `latest` grows with every change of a tenant's sales, `within` with changes of the given days. */
export type SalesVersions = { latest: number; within: number };

/** As an expression, for a statement that reads more. */
export const latestSalesVersion = (sql: Queryable, organizationId: string) =>
  sql`coalesce((select max(version) from sales_days where organization_id = ${organizationId}), 0)`;

/** Newest changes first, so that one of the first rows matches. */
export async function readSalesVersions(
  sql: Queryable,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<SalesVersions> {
  const [row] = await sql<{ latest: number; within: number }[]>`
    select ${latestSalesVersion(sql, organizationId)} as latest,
           coalesce((select version from sales_days
                     where organization_id = ${organizationId} and local_day between ${from}::date and ${to}::date
                     order by version desc limit 1), 0) as within`;
  return row ?? { latest: 0, within: 0 };
}
