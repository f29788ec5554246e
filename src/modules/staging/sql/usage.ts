import type { Queryable } from '../../../platform/database/index.ts';

/** What an install has sent on a day (UTC). */
export type Usage = { organizationId: string; installId: string; day: string; payloads: number; bytes: number };

/** Adds to what is known of the day; the bytes of the whole day by install. */
export async function addUsage(sql: Queryable, usages: readonly Usage[]): Promise<Map<string, number>> {
  const rows = await sql<{ organization_app_id: string; bytes: number }[]>`
    insert into ingest_usage as u (organization_id, organization_app_id, day, payloads, bytes)
    select * from unnest(
      ${usages.map((usage) => usage.organizationId)}::uuid[], ${usages.map((usage) => usage.installId)}::uuid[],
      ${usages.map((usage) => usage.day)}::date[], ${usages.map((usage) => usage.payloads)}::bigint[],
      ${usages.map((usage) => usage.bytes)}::bigint[]) as i (organization_id, organization_app_id, day, payloads, bytes)
    order by organization_id, organization_app_id, day
    on conflict (organization_id, organization_app_id, day) do update
      set payloads = u.payloads + excluded.payloads, bytes = u.bytes + excluded.bytes
    returning u.organization_app_id, u.bytes`;
  return new Map(rows.map((row) => [row.organization_app_id, Number(row.bytes)]));
}

export async function dropUsageBefore(sql: Queryable, day: Date): Promise<void> {
  await sql`delete from ingest_usage where day < ${day.toISOString().slice(0, 10)}::date`;
}

/** Payloads received by day (UTC); days without any are absent. */
export function countPayloadsByDay(
  sql: Queryable,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; count: number }[]> {
  return sql<{ day: string; count: number }[]>`
    select day::text, sum(payloads)::bigint as count from ingest_usage
    where organization_id = ${organizationId} and day between ${from}::date and ${to}::date
    group by day`;
}
