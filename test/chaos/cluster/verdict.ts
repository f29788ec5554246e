import { setTimeout as pause } from 'node:timers/promises';
import { WHOLE_TENANT } from '../../../src/modules/customers/sql/spending.ts';
import type { Sql } from '../../../src/platform/database/index.ts';
import type { Acknowledged } from './load.ts';
import { STOCK, type Tenant } from './tenants.ts';

const CATCH_UP_MS = 180_000;

/** Every count but the first four is a fault. */
export async function judge(
  sql: Sql,
  baseUrl: string,
  tenants: Tenant[],
  acknowledged: Map<string, Acknowledged>,
  isDelivered: (tenant: string, eventId: string) => boolean,
) {
  const figures = {
    'orders acknowledged': 0,
    'payloads acknowledged': 0,
    'sales acknowledged': 0,
    'orders stored': 0,
    'acknowledged but missing': 0,
    'payloads without an order': 0,
    'stored twice': 0,
    'orders without an event': 0,
    'events missing in the feed': 0,
    'events not delivered': 0,
    'stock off by': 0,
    'orders in the sums of sales off by': 0,
    'orders of customers off by': 0,
  };
  for (const tenant of tenants) {
    const known = acknowledged.get(tenant.id) ?? { orders: [], ingested: [], sales: [] };
    const stored = await sql<{ id: string; key: string | null; source: string; sold: number }[]>`
      select id, source_transaction_id as key, source, (products -> 0 ->> 'quantity')::int as sold from orders
      where organization_id = ${tenant.id}`;
    const changes = await sql<{ order_id: string }[]>`
      select order_id from order_changes where organization_id = ${tenant.id}`;
    const [shelf] = await sql<{ left: number }[]>`
      select current_qty as left from skus where organization_id = ${tenant.id} and iv_id = 'A_SHOP'`;
    // The sums are on the coordinator, what they were made of is on the node.
    const [sums] = await sql<{ orders: number }[]>`
      select coalesce(sum(orders), 0)::int as orders from daily_sales where organization_id = ${tenant.id}`;
    const [projected] = await sql<{ orders: number }[]>`
      select count(*) as orders from projected_orders where organization_id = ${tenant.id} and customer_id is not null`;
    const [customers] = await sql<{ orders: number }[]>`
      select coalesce(sum(orders), 0)::int as orders from customers where organization_id = ${tenant.id} and branch_id = ${WHOLE_TENANT}`;
    const events = await readFeed(baseUrl, tenant.owner.token);
    const ids = new Set(stored.map(({ id }) => id));
    const keys = stored.map(({ key }) => key).filter((key) => key !== null);
    const present = new Set(keys);
    const withEvent = new Set(changes.map(({ order_id }) => order_id));
    const inFeed = new Set(events.map(({ order_id }) => order_id));
    const sold = stored.filter(({ source }) => source === 'till').reduce((sum, order) => sum + order.sold, 0);
    figures['orders acknowledged'] += known.orders.length;
    figures['payloads acknowledged'] += known.ingested.length;
    figures['sales acknowledged'] += known.sales.length;
    figures['orders stored'] += stored.length;
    figures['acknowledged but missing'] +=
      known.orders.filter((key) => !present.has(key)).length + known.sales.filter((id) => !ids.has(id)).length;
    figures['payloads without an order'] += known.ingested.filter((key) => !present.has(key)).length;
    figures['stored twice'] += keys.length - present.size;
    figures['orders without an event'] += stored.filter(({ id }) => !withEvent.has(id)).length;
    figures['events missing in the feed'] += stored.filter(({ id }) => !inFeed.has(id)).length;
    figures['events not delivered'] += events.filter(({ id }) => !isDelivered(tenant.id, id)).length;
    figures['stock off by'] += Math.abs(STOCK - sold - (shelf?.left ?? 0));
    figures['orders in the sums of sales off by'] += Math.abs(stored.length - (sums?.orders ?? 0));
    figures['orders of customers off by'] += Math.abs((projected?.orders ?? 0) - (customers?.orders ?? 0));
  }
  return figures;
}

type FeedEvent = { id: string; order_id: string };

/** From the beginning to the end. Asks again after any failure. */
async function readFeed(baseUrl: string, token: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  let cursor = '';
  for (;;) {
    const response = await fetch(`${baseUrl}/api/v1/orders/changes?cursor=${cursor}&limit=500`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) {
      await pause(200);
      continue;
    }
    const page = (await response.json()) as { events: FeedEvent[]; next_cursor: string; has_more: boolean };
    events.push(...page.events);
    cursor = page.next_cursor;
    if (!page.has_more) return events;
  }
}

/** Until nothing waits to be read, published, followed or delivered. */
export async function caughtUp(sql: Sql): Promise<void> {
  const untilMs = performance.now() + CATCH_UP_MS;
  while (performance.now() < untilMs) {
    const waiting = [
      await sql`select 1 from staging_queue limit 1`,
      await sql`select 1 from order_outbox limit 1`,
      await sql`
        select 1 from event_followers f join event_positions e on e.tenant_group = f.tenant_group
        where f.position < e.last_position limit 1`,
      await sql`select 1 from webhook_queued_deliveries limit 1`,
    ];
    if (waiting.every((rows) => rows.length === 0)) return;
    await pause(200);
  }
  throw new Error('the followers do not catch up');
}
