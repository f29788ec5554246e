import type { Queryable } from '../../../platform/database/index.ts';

export type FleetRow = {
  total_organizations: number;
  active_organizations: number;
  total_branches: number;
  total_users: number;
  total_orders: number;
  total_order_value: number;
  total_collected_sar: number;
  collected_last_30d_sar: number;
  /** The list of organizations as JSON, ready to be sent. */
  organizations: string;
};

/**
 * One statement, and the rows come as the text that is sent: with a thousand organizations the driver took 2.6 ms to make
 * objects of them and JSON of the objects, where this takes none of the service's time.
 */
export async function readFleet(sql: Queryable, firstDay: string, today: string): Promise<FleetRow> {
  const [row] = await sql<[FleetRow]>`
    with changed as (
      select organization_id, sum(branches) as branches, sum(members) as members
      from organization_count_changes group by organization_id
    ), sales as (
      select organization_id, sum(orders) as orders, sum(revenue) filter (where currency = 'SAR') as revenue
      from organization_sales group by organization_id
    ), fleet as (
      select o.id, o.name_en, o.name_ar, o.created, o.is_active and o.suspended_at is null as is_active,
             coalesce(c.branches, 0) + coalesce(d.branches, 0) as branches,
             coalesce(c.members, 0) + coalesce(d.members, 0) as members,
             coalesce(s.orders, 0) as orders, round(coalesce(s.revenue, 0), 2) as revenue,
             coalesce(a.collected_sar, 0) as collected
      from organizations o
      left join organization_counts c on c.organization_id = o.id
      left join changed d on d.organization_id = o.id
      left join sales s on s.organization_id = o.id
      left join billing_accounts a on a.organization_id = o.id
    )
    select count(*) as total_organizations, count(*) filter (where is_active) as active_organizations,
           coalesce(sum(branches), 0) as total_branches, coalesce(sum(members), 0) as total_users,
           coalesce(sum(orders), 0) as total_orders, coalesce(sum(revenue), 0) as total_order_value,
           coalesce(sum(collected), 0) as total_collected_sar,
           (select coalesce(sum(total_sar), 0) from (
              select total_sar from billing_sums
              where measure = 'payments_by_day' and part = 'succeeded' and day between ${firstDay}::date and ${today}::date
              union all
              select total_sar from billing_sum_changes
              where measure = 'payments_by_day' and part = 'succeeded' and day between ${firstDay}::date and ${today}::date
            ) received) as collected_last_30d_sar,
           '[' || coalesce(string_agg(
             '{"organization_id":"' || id || '","name_en":' || to_json(name_en)::text || ',"name_ar":' || to_json(name_ar)::text
             || ',"is_active":' || is_active || ',"branch_count":' || branches || ',"user_count":' || members
             || ',"order_count":' || orders || ',"order_value":' || trim_scale(revenue)
             || ',"collected_sar":' || trim_scale(collected) || '}', ',' order by created, id), '') || ']' as organizations
    from fleet`;
  return row;
}
