import type { Sql } from '../../../platform/database/index.ts';

export type DayFigures = { date: string; received: number; processed: number; failed: number };

/** Along `staged_payloads_of_install`, from the first day on. An expensive read: a busy install has 100,000 payloads a day. */
export function readDayFigures(
  sql: Sql,
  {
    organizationId,
    installId,
    first,
    timeZone,
  }: {
    organizationId: string;
    installId: string;
    first: string;
    timeZone: string;
  },
): Promise<DayFigures[]> {
  const slow = sql.expensive;
  return slow<DayFigures[]>`
    select (received_at at time zone ${timeZone})::date::text as date, count(*) as received,
           count(*) filter (where status = 'processed') as processed, count(*) filter (where status = 'failed') as failed
    from staged_payloads
    where organization_id = ${organizationId} and organization_app_id = ${installId}
      and received_at >= ${first}::date::timestamp at time zone ${timeZone}
    group by 1`;
}
