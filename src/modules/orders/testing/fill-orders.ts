import type { Sql } from '../../../platform/database/index.ts';
import { idTag } from '../../../platform/text/search-words.ts';
import { WHOLE_TENANT } from '../sql/counts.ts';

export type FilledOrders = {
  organizationId: string;
  count: number;
  /** Lengths of the comment and of the line's name, in characters. */
  commentLength?: number;
  lineLength?: number;
  branchId?: string;
};

/** Inserts many orders and their counts in one statement each. Every seventh has no name, every hundredth has the source `rare`. */
export async function fillOrders(
  sql: Sql,
  { organizationId, count, commentLength = 0, lineLength = 10, branchId }: FilledOrders,
): Promise<void> {
  const tag = idTag(organizationId);
  await sql`
    insert into orders (
      organization_id, id, source, organization_app_id, app_slug, channel_family, channel_kind, destination_id,
      order_status, payment_status, fulfillment_status, currency, total_amount, discounts_amount, vat_amount,
      delivery_fee, service_fee, subtotal, customer_name, customer_phone, customer_email, skus, products, order_code, comment,
      is_preorder, raw, is_open, search_words, phone_digits, created_at, updated_at)
    select ${organizationId}, gen_random_uuid(), case when n % 100 = 0 then 'rare' else 'api' end, '', 'api', 'api', 'direct',
           ${branchId ?? null}::uuid,
           case when n % 10 = 0 then 'RECEIVED' else 'DELIVERED' end, 'paid', 'Full', 'SAR', n % 1000, 0, 0, 0, 0, 0,
           case when n % 7 > 0 then 'Buyer ' || n % 500 end, '+9665' || lpad(n::text, 8, '0'), 'buyer' || n % 300 || '@x.sa', array['P-1_RUH'],
           json_build_array(json_build_object('product_id', 'P-1', 'sku_id', 'P-1_RUH', 'name',
             repeat('x', ${lineLength}::int))),
           'DK-261115-' || lpad(upper(to_hex(n)), 6, '0'), nullif(repeat('x', ${commentLength}::int), ''), false,
           json_build_object('vendor', repeat('y', ${lineLength}::int)), n % 10 = 0,
           case when n % 7 > 0 then array_to_tsvector(array[${tag} || 'buyer', ${tag} || n % 500]) end, '9665' || lpad(n::text, 8, '0'),
           timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01'
    from generate_series(1, ${count}::int) n`;
  await sql`
    insert into order_counts
    select organization_id, branch, order_status, payment_status, fulfillment_status, source, currency, 0, count(*)
    from (
      select organization_id, ${WHOLE_TENANT}::uuid as branch, order_status, payment_status, fulfillment_status, source, currency
      from orders where organization_id = ${organizationId}
      union all
      select organization_id, destination_id, order_status, '', '', '', ''
      from orders where organization_id = ${organizationId} and destination_id is not null) counted
    group by 1, 2, 3, 4, 5, 6, 7
    on conflict (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot)
    do update set total = excluded.total`;
}
