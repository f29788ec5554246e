import type { Sql } from '../../../../platform/database/index.ts';

/** Every figure of the accounting overview from the rows themselves: nothing of the code under test, and none of its sums. */
export async function recountOverview(sql: Sql, today: string) {
  const one = async (query: Promise<{ value: number | null }[]>) => Number((await query)[0]?.value ?? 0);
  const payments = await one(sql`select sum(total_sar) as value from billing_payments where status = 'succeeded'`);
  const topUps = await one(sql`select sum(total_sar) as value from ledger_entries where entry_type = 'topup'`);
  const open = sql`from branch_fees where status in ('pending', 'overdue')`;
  const outstanding = (days: ReturnType<typeof past>) =>
    one(sql`select sum(total_sar - paid_sar) as value ${open} and ${days}`);
  const past = (from: number, to: number) => sql`${today}::date - due_date between ${from} and ${to}`;
  const ever = 100_000;
  const settled = sql`from ledger_entries where direction = 'debit' and entry_type in ('branch_fee', 'service_fee')`;
  const credits = sql`from ledger_entries where entry_type = 'credit'`;
  return {
    totals: {
      cash_collected_sar: payments,
      cash_collected_30d_sar: await one(sql`
        select sum(total_sar) as value from billing_payments
        where status = 'succeeded' and (created at time zone 'Asia/Riyadh')::date > ${today}::date - 30
          and (created at time zone 'Asia/Riyadh')::date <= ${today}::date`),
      wallet_balance_sar: await one(sql`
        select sum(case direction when 'credit' then total_sar else -total_sar end) as value from ledger_entries`),
      outstanding_branch_fees_sar: await outstanding(past(-ever, ever)),
      overdue_branch_fees_sar: await outstanding(past(1, ever)),
      credits_issued_sar: await one(sql`select sum(total_sar) as value ${credits}`),
      refund_like_debits_sar: await one(sql`
        select sum(total_sar) as value from ledger_entries
        where direction = 'debit' and entry_type in ('refund', 'adjustment')`),
      recognized_vat_sar: await one(sql`select sum(vat_sar) as value ${settled}`),
      net_revenue_sar: await one(sql`
        select coalesce((select sum(amount_sar) ${settled}), 0)
             - coalesce((select sum(total_sar) ${credits}), 0) as value`),
    },
    receivables: {
      current_sar: await outstanding(past(-ever, 0)),
      days_1_to_30_sar: await outstanding(past(1, 30)),
      days_31_to_60_sar: await outstanding(past(31, 60)),
      days_61_plus_sar: await outstanding(past(61, ever)),
      pending_rows: await one(sql`select count(*) as value ${open} and ${past(-ever, 0)}`),
      overdue_rows: await one(sql`select count(*) as value ${open} and ${past(1, ever)}`),
    },
    status_breakdown: await sql<{ status: string; count: number; amount: number }[]>`
      select status, count(*) as count, sum(total_sar) as amount
      from (select total_sar, case when status in ('paid', 'void') then status
                                   when due_date < ${today}::date then 'overdue' else 'pending' end as status
            from branch_fees) fees
      group by status order by status`,
    ledger_breakdown: await sql<{ entry_type: string; direction: string; count: number; amount: number }[]>`
      select entry_type, direction, count(*) as count, sum(total_sar) as amount
      from ledger_entries group by entry_type, direction order by entry_type, direction`,
    reconciliation: {
      successful_payments_sar: payments,
      ledger_credits_sar: topUps,
      variance_sar: await one(sql`
        select coalesce((select sum(total_sar) from billing_payments where status = 'succeeded'), 0)
             - coalesce((select sum(total_sar) from ledger_entries where entry_type = 'topup'), 0) as value`),
    },
  };
}

export type RecountedRow = {
  organization_id: string;
  name_en: string;
  name_ar: string;
  is_active: boolean;
  branch_count: number;
  user_count: number;
  order_count: number;
  order_value: number;
  collected_sar: number;
};

/** Orders by a statement of their own: on a cluster they are on other servers than accounts. */
export async function recountFleet(sql: Sql): Promise<RecountedRow[]> {
  const orders = await sql<{ organization_id: string; count: number; value: number }[]>`
    select organization_id, count(*) as count,
           coalesce(sum(total_amount) filter (
             where currency = 'SAR' and lower(order_status) <> 'cancelled' and payment_status <> 'refunded'), 0) as value
    from orders group by organization_id`;
  const ordersOf = new Map(orders.map((row) => [row.organization_id, row]));
  const rows = await sql<Omit<RecountedRow, 'order_count' | 'order_value'>[]>`
    select o.id as organization_id, o.name_en, o.name_ar, o.is_active and o.suspended_at is null as is_active,
           (select count(*) from branches b where b.organization_id = o.id) as branch_count,
           (select count(*) from memberships m where m.organization_id = o.id) as user_count,
           (select coalesce(sum(p.total_sar), 0) from billing_payments p
            where p.organization_id = o.id and p.status = 'succeeded') as collected_sar
    from organizations o order by o.created, o.id`;
  return rows.map((row) => {
    const { count = 0, value = 0 } = ordersOf.get(row.organization_id) ?? {};
    return { ...row, order_count: count, order_value: value };
  });
}
