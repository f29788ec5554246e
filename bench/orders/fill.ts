import type { Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';

const STATUSES = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'DELIVERED', 'CANCELLED'];

/** A tenant's history, made by the server itself. The search index is rebuilt afterwards: that is ten times faster. */
export async function fillOrders(sql: Sql, organizationId: string, count: number): Promise<void> {
  await sql`
    insert into orders (organization_id, id, source, organization_app_id, app_slug, channel_family, channel_kind,
      source_transaction_id, order_status, payment_status, fulfillment_status, currency, total_amount, discounts_amount,
      vat_amount, delivery_fee, service_fee, subtotal, customer_name, customer_phone, customer_email, skus, products,
      order_code, is_preorder, is_open, search_text, created_at, updated_at)
    select ${organizationId}, md5(${organizationId}::text || n)::uuid, 'api', '', 'api', 'api', 'direct', 'fill-' || n,
      s, 'completed', 'Full', 'SAR', (n % 50000) / 100.0, 0, 0, 0, 0, 0, 'Customer ' || (n % 5000),
      '+9665' || lpad((n % 5000)::text, 8, '0'), 'c' || (n % 5000) || '@shop.example', array['P-1_RUH'],
      '[{"product_id":"P-1","sku_id":"P-1_RUH","name":"Dates","quantity":2,"price":10}]'::json, 'DK-' || n, false,
      s not in ('DELIVERED', 'CANCELLED'),
      'customer ' || (n % 5000) || ' | c' || (n % 5000) || '@shop.example | +9665' || lpad((n % 5000)::text, 8, '0')
        || ' | fill-' || n || ' | dk-' || n,
      t, t
    from generate_series(1, ${count}) n
    cross join lateral (select (${STATUSES}::text[])[1 + n % 6] as s,
                               now() - interval '1 minute' * (${count} - n) as t) v`;
  await sql`
    insert into order_counts (organization_id, destination_id, order_status, payment_status, fulfillment_status, source,
      currency, slot, total)
    select organization_id, '00000000-0000-0000-0000-000000000000', order_status, payment_status, fulfillment_status,
      source, currency, 0, count(*)
    from orders where organization_id = ${organizationId} group by 1, 3, 4, 5, 6, 7`;
}

export async function withoutSearchIndex(sql: Sql, work: () => Promise<void>): Promise<void> {
  const [index] = await sql<{ definition: string }[]>`
    select pg_get_indexdef('orders_search'::regclass) as definition`;
  await sql`drop index orders_search`;
  await work();
  await sql.unsafe(index?.definition ?? '');
  await sql`vacuum analyze orders`;
}

let made = 0;
const run = newId();

export function newOrderBody(): Record<string, unknown> {
  made += 1;
  return {
    source_transaction_id: `bench-${run}-${made}`,
    order_status: 'RECEIVED',
    payment_status: 'pending',
    fulfillment_status: 'None',
    fulfillment_method: 'delivery',
    payment_method: 'cash',
    customer_name: 'نورة العتيبي',
    customer_phone: '+966500000001',
    customer_email: 'noura@shop.example',
    skus: ['P-1001_RUH-01'],
    products: [{ product_id: 'P-1001', sku_id: 'P-1001_RUH-01', name: 'Paracetamol', quantity: 2, price: 12.5 }],
    total_amount: 28.75,
    vat_amount: 3.75,
    currency: 'SAR',
  };
}
