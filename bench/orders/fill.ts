import type { Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { idTag } from '../../src/platform/text/search-words.ts';

const STATUSES = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'DELIVERED', 'CANCELLED'];

// As order numbers have them.
const CODE_LETTERS = '23456789BCDFGHJKMNPQRSTVWXYZ';

/** The nth filled order's texts for searching. */
export const filled = {
  code: (n: number, createdAt: Date) => `DK-${createdAt.toISOString().slice(2, 10).replaceAll('-', '')}-${codeEnd(n)}`,
  /** Of one length: none is the beginning of another. */
  transaction: (n: number) => `fill-${String(n).padStart(8, '0')}`,
  phone: (n: number) => `05${String(n).padStart(8, '0')}`,
  name: (n: number) => `Customer ${n % CUSTOMERS}`,
};

const CUSTOMERS = 50_000;

function codeEnd(n: number): string {
  let rest = n;
  return Array.from({ length: 6 }, () => {
    const letter = CODE_LETTERS[rest % CODE_LETTERS.length];
    rest = Math.floor(rest / CODE_LETTERS.length);
    return letter;
  }).join('');
}

/** A tenant's history, made by the server itself. */
export async function fillOrders(sql: Sql, organizationId: string, count: number): Promise<void> {
  const tag = idTag(organizationId);
  const letter = (place: number) =>
    sql`substr(${CODE_LETTERS}, 1 + (n / ${CODE_LETTERS.length ** place}::int) % ${CODE_LETTERS.length}::int, 1)`;
  await sql`
    insert into orders (organization_id, id, source, organization_app_id, app_slug, channel_family, channel_kind,
      source_transaction_id, order_status, payment_status, fulfillment_status, currency, total_amount, discounts_amount,
      vat_amount, delivery_fee, service_fee, subtotal, customer_name, customer_phone, customer_email, skus, products,
      order_code, is_preorder, is_open, search_words, phone_digits, created_at, updated_at)
    select ${organizationId}, md5(${organizationId}::text || n)::uuid, 'api', '', 'api', 'api', 'direct', 'fill-' || lpad(n::text, 8, '0'),
      s, 'completed', 'Full', 'SAR', (n % 50000) / 100.0, 0, 0, 0, 0, 0, 'Customer ' || n % ${CUSTOMERS}::int,
      '+9665' || lpad(n::text, 8, '0'), 'c' || n % ${CUSTOMERS}::int || '@shop.example', array['P-1_RUH'],
      '[{"product_id":"P-1","sku_id":"P-1_RUH","name":"Dates","quantity":2,"price":10}]'::json,
      'DK-' || to_char(t at time zone 'UTC', 'YYMMDD') || '-' ||
        ${letter(0)} || ${letter(1)} || ${letter(2)} || ${letter(3)} || ${letter(4)} || ${letter(5)}, false,
      s not in ('DELIVERED', 'CANCELLED'),
      array_to_tsvector(array[${tag}::text || 'customer', ${tag}::text || n % ${CUSTOMERS}::int]),
      '9665' || lpad(n::text, 8, '0'), t, t
    from generate_series(1, ${count}::int) n
    cross join lateral (select (${STATUSES}::text[])[1 + n % 6] as s,
                               now() - interval '1 minute' * (${count}::int - n) as t) v`;
  await sql`
    insert into order_counts (organization_id, destination_id, order_status, payment_status, fulfillment_status, source,
      currency, slot, total)
    select organization_id, '00000000-0000-0000-0000-000000000000', order_status, payment_status, fulfillment_status,
      source, currency, 0, count(*)
    from orders where organization_id = ${organizationId} group by 1, 3, 4, 5, 6, 7`;
}

/** The indexes are built afterwards: that is several times faster. The unique ones stay. */
export async function withoutIndexes(sql: Sql, work: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'orders'::regclass and not indisunique`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await work();
  for (const { definition } of indexes) await sql.unsafe(definition);
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
