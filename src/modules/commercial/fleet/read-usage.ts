import { readTotal, type Sql } from '../../../platform/database/index.ts';
import { addDays, localDay } from '../../../platform/local-day.ts';
import { readOrganizationDefaults } from '../../identity/index.ts';
import { PRODUCTS_LIST } from '../../products/index.ts';
import { countOrdersByDay } from '../../sales/index.ts';
import { countPayloadsByDay } from '../../staging/index.ts';
import { countDeliveriesByDay } from '../../webhooks/index.ts';
import { getFleetOrganization } from './fleet-organization.ts';
import { readCountsOf } from './sql/counts.ts';

/** Deliveries and ingested payloads are kept for 30 days. */
export const MAX_USAGE_DAYS = 30;

type DayCount = { day: string; count: number };

/** What an organization uses, from counts that the service keeps anyway: no statement reads its orders. */
export async function readUsage(sql: Sql, organizationId: string, days: number, now: Date) {
  const { id } = await getFleetOrganization(sql, organizationId);
  const { timeZone } = await readOrganizationDefaults(sql, id);
  const to = localDay(now, timeZone);
  const from = addDays(to, 1 - days);
  // A day earlier than the first shown in any time zone; what lies before the first is not shown.
  const since = new Date(now.getTime() - (days + 1) * 86_400_000);
  const [orders, payloads, deliveries, counts, products] = await Promise.all([
    countOrdersByDay(sql, id, { from, to }),
    countPayloadsByDay(sql, id, { from, to }),
    countDeliveriesByDay(sql.expensive, id, { since, timeZone }),
    readCountsOf(sql, [id]),
    readTotal(sql, id, PRODUCTS_LIST),
  ]);
  const [ordersOn, payloadsOn, deliveriesOn] = [orders, payloads, deliveries].map(byDay);
  const shown = Array.from({ length: days }, (_, index) => {
    const date = addDays(from, index);
    return {
      date,
      orders: ordersOn?.get(date) ?? 0,
      webhook_deliveries: deliveriesOn?.get(date) ?? 0,
      ingest: payloadsOn?.get(date) ?? 0,
    };
  });
  const total = (name: 'orders' | 'webhook_deliveries' | 'ingest') => shown.reduce((sum, day) => sum + day[name], 0);
  return {
    organization_id: id,
    days: shown,
    totals: { orders: total('orders'), webhook_deliveries: total('webhook_deliveries'), ingest: total('ingest') },
    users: counts[0]?.members ?? 0,
    branches: counts[0]?.branches ?? 0,
    products,
  };
}

function byDay(counts: readonly DayCount[]): Map<string, number> {
  return new Map(counts.map(({ day, count }) => [day, count]));
}
