import { ensureWeeks, type Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';

const TENANTS = 20;
/** One order in so many was paid through a gateway, and one in so many by a payment link. */
const GATEWAY_SHARE = 5;
const PAYLINK_SHARE = 20;
const WEEK_MS = 7 * 86_400_000;

/** Orders of a database at schema 0027 with their events, and the payments that 0029 reads; by set-based statements. */
export async function fillOldDatabase(sql: Sql, count: number, onProgress: (text: string) => void): Promise<void> {
  await sql`
    insert into organizations (id, name_en, name_ar, created, updated)
    select md5('tenant ' || n)::uuid, 'Shop ' || n, 'متجر ' || n, now(), now() from generate_series(0, ${TENANTS - 1}) n`;
  onProgress(`filling ${count} orders`);
  const indexes = await dropIndexes(sql, 'orders');
  await sql`
    insert into orders (organization_id, id, source, organization_app_id, app_slug, channel_family, channel_kind,
      source_transaction_id, order_status, payment_status, fulfillment_status, currency, total_amount, discounts_amount,
      vat_amount, delivery_fee, service_fee, subtotal, customer_name, customer_phone, customer_email, skus, products,
      order_code, is_preorder, is_open, search_text, created_at, updated_at)
    select md5('tenant ' || n % ${TENANTS})::uuid, md5('order ' || n)::uuid, 'api', '', 'api', 'api', 'direct', 'fill-' || n,
      'DELIVERED', 'completed', 'Full', 'SAR', (n % 50000) / 100.0, 0, 0, 0, 0, 0, 'Customer ' || n % 5000,
      '+9665' || lpad((n % 5000)::text, 8, '0'), 'c' || n % 5000 || '@shop.example', array['P-1_RUH'],
      '[{"product_id":"P-1","sku_id":"P-1_RUH","name":"Dates","quantity":2,"price":10}]'::json, 'DK-' || n, false, false,
      md5('order ' || n)::uuid || ' | customer ' || n % 5000 || ' | c' || n % 5000 || '@shop.example | +9665'
        || lpad((n % 5000)::text, 8, '0') || ' | fill-' || n,
      now() - interval '2 seconds' * (${count}::int - n), now()
    from generate_series(1, ${count}::int) n`;
  onProgress('building the indexes of orders');
  for (const definition of indexes) await sql.unsafe(definition);
  onProgress(`filling ${count} events`);
  await fillEvents(sql, count);
  onProgress('filling payments');
  await fillPayments(sql, count);
  await sql`vacuum analyze orders`;
}

async function fillEvents(sql: Sql, count: number): Promise<void> {
  const [range] = await sql<
    { first: Date; last: Date }[]
  >`select min(created_at) as first, max(created_at) as last from orders`;
  if (range === undefined) return;
  for (let atMs = range.first.getTime(); atMs <= range.last.getTime(); atMs += WEEK_MS) {
    await ensureWeeks(sql, { name: 'order_events', fillPercent: 100 }, new Date(atMs));
  }
  await sql`
    insert into order_events (organization_id, position, tenant_position, event_id, order_id, type, occurred_at, stamped_at, body)
    select organization_id, n, n, 'evt_' || n, id, 'order.created', created_at, created_at,
      json_build_object('id', 'evt_' || n, 'type', 'order.created', 'order', json_build_object('order_id', id,
        'order_code', order_code, 'customer_name', customer_name, 'customer_phone', customer_phone, 'products', products,
        'order_status', order_status, 'payment_status', payment_status, 'total_amount', total_amount))::text
    from (select *, row_number() over (order by created_at) as n from orders) numbered`;
  await sql`update event_positions set last_position = ${count}`;
  await sql`
    insert into event_tenant_positions (organization_id, last_position)
    select id, ${count} from organizations on conflict (organization_id) do update set last_position = excluded.last_position`;
}

async function fillPayments(sql: Sql, count: number): Promise<void> {
  const install = newId();
  await sql`
    insert into gateway_transactions (organization_id, id, provider, organization_app_id, provider_reference, order_id,
      matched_by, amount, currency, status, occurred_at, created, updated)
    select md5('tenant ' || n % ${TENANTS})::uuid, md5('payment ' || n)::uuid, 'gateway', ${install}, 'pay-' || n,
      md5('order ' || n)::uuid, 'reference', 10, 'SAR', 'paid', now(), now(), now()
    from generate_series(1, ${count}::int, ${GATEWAY_SHARE}::int) n`;
  // In the order of the columns at schema 0027, some of which had names that are no longer used.
  await sql`
    insert into paylinks
    select md5('tenant ' || n % ${TENANTS})::uuid, md5('paylink ' || n)::uuid, 'provider', ${install}::uuid,
      md5('order ' || n)::uuid, true, 'captured', 10, 'SAR', null, null, null, 10, 0, false, false, null,
      null, null, null, null, null, null, null, null, now(), now()
    from generate_series(1, ${count}::int, ${PAYLINK_SHARE}::int) n`;
}

/** Returns their definitions. Built after the rows, they take a fraction of the time. */
async function dropIndexes(sql: Sql, table: string): Promise<string[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${table}::regclass and not i.indisprimary`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  return indexes.map(({ definition }) => definition);
}
