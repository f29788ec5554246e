import type { Sql } from '../../platform/database/index.ts';
import { billingDay } from '../billing/index.ts';
import { readFleet } from './sql/fleet.ts';

const DAY_MS = 86_400_000;

/** The answer as text: see `readFleet`. */
export async function readFleetMetrics(sql: Sql, now: Date): Promise<string> {
  const firstDay = billingDay(new Date(now.getTime() - 29 * DAY_MS));
  const fleet = await readFleet(sql, firstDay, billingDay(now));
  return (
    `{"timestamp":"${now.toISOString()}"` +
    `,"total_organizations":${fleet.total_organizations}` +
    `,"active_organizations":${fleet.active_organizations}` +
    `,"inactive_organizations":${fleet.total_organizations - fleet.active_organizations}` +
    `,"total_branches":${fleet.total_branches},"total_users":${fleet.total_users},"total_orders":${fleet.total_orders}` +
    `,"total_order_value":${fleet.total_order_value},"total_collected_sar":${fleet.total_collected_sar}` +
    `,"collected_last_30d_sar":${fleet.collected_last_30d_sar}` +
    `,"organizations":[${fleet.organizations}]}`
  );
}
