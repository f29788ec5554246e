import type { Queryable, Tx } from '../../../../platform/database/index.ts';
import { ADVISORY_LOCKS } from '../../../../platform/database/index.ts';

export type SumRow = {
  measure: 'ledger' | 'fees' | 'payments' | 'payments_by_day';
  part: string;
  day: string;
  row_count: number;
  amount_sar: string;
  vat_sar: string;
  total_sar: string;
  paid_sar: string;
};

/** Sums and changes in one statement: between two, a fold would be counted twice or not at all. */
export function readSumRows(sql: Queryable, paymentsSince: string): Promise<SumRow[]> {
  return sql<SumRow[]>`
    select measure, part, day::text, sum(row_count)::bigint as row_count, sum(amount_sar)::text as amount_sar,
           sum(vat_sar)::text as vat_sar, sum(total_sar)::text as total_sar, sum(paid_sar)::text as paid_sar
    from (
      select measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar from billing_sums
      union all
      select measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar from billing_sum_changes) both_halves
    where measure <> 'payments_by_day' or day >= ${paymentsSince}::date
    group by measure, part, day
    having sum(row_count) <> 0
    order by measure, part, day`;
}

export async function countRowsOf(
  sql: Queryable,
  measure: SumRow['measure'],
  parts: readonly string[],
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(row_count), 0)::bigint as total from (
      select row_count from billing_sums where measure = ${measure} and part = any(${parts}::text[])
      union all
      select row_count from billing_sum_changes where measure = ${measure} and part = any(${parts}::text[])) both_halves`;
  return row?.total ?? 0;
}

/** One fold at a time: false when another one is running. */
export async function tryToFold(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ held: boolean }[]>`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.billingSums}) as held`;
  return row?.held ?? false;
}

/** Returns how many changes went into the sums. */
export async function foldChanges(tx: Tx, limit: number): Promise<number> {
  const [row] = await tx<{ folded: number }[]>`
    with taken as (
      delete from billing_sum_changes
      where id in (select id from billing_sum_changes order by id limit ${limit})
      returning measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar
    ), folded as (
      insert into billing_sums as s (measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar)
      select measure, part, day, sum(row_count), sum(amount_sar), sum(vat_sar), sum(total_sar), sum(paid_sar)
      from taken group by measure, part, day
      on conflict (measure, part, day) do update set
        row_count = s.row_count + excluded.row_count, amount_sar = s.amount_sar + excluded.amount_sar,
        vat_sar = s.vat_sar + excluded.vat_sar, total_sar = s.total_sar + excluded.total_sar,
        paid_sar = s.paid_sar + excluded.paid_sar
    )
    select count(*) as folded from taken`;
  return row?.folded ?? 0;
}
