import type pg from 'pg';

/** Nine btrees, of which the last four serve a search by phone, by the end of a phone, by code and by the beginning of a name. */
export async function addBareTables(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table bare_orders (
      organization_id uuid not null,
      id uuid not null,
      source text not null,
      source_reference text,
      source_transaction_id text,
      source_timestamp timestamptz,
      destination_id uuid,
      destination_reference text,
      store_name text,
      order_status text not null,
      payment_status text not null,
      fulfillment_status text not null,
      fulfillment_method text,
      payment_method text,
      currency text not null,
      total_amount numeric not null,
      discounts_amount numeric not null,
      vat_amount numeric not null,
      delivery_fee numeric not null,
      service_fee numeric not null,
      subtotal numeric not null,
      customer_name text,
      customer_phone text,
      customer_email text,
      receiver_name text,
      receiver_phone text,
      skus text[] not null,
      products json not null,
      shipping_address json,
      order_code text not null,
      order_type text,
      transport_type text,
      comment text,
      promised_for timestamptz,
      is_preorder boolean not null,
      dispatch_routing json,
      shipping_fulfillment json,
      raw json,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organization_id, id)
    );
    create unique index on bare_orders (organization_id, source, source_transaction_id);
    create index on bare_orders (organization_id, created_at, id);
    create index on bare_orders (organization_id, order_status, created_at, id);
    create index on bare_orders (organization_id, source, created_at, id);
    create index on bare_orders (organization_id, customer_phone);
    create index on bare_orders (organization_id, reverse(customer_phone) text_pattern_ops);
    create index on bare_orders (organization_id, order_code);
    create index on bare_orders (organization_id, lower(customer_name) text_pattern_ops);

    create table bare_events (
      organization_id uuid not null,
      id bigint generated always as identity,
      order_id uuid not null,
      transaction xid8 not null default pg_current_xact_id(),
      body text not null,
      primary key (organization_id, id)
    );
    create index on bare_events (organization_id, order_id)`);
}

export const INSERT_BATCH = `
  with placed as (insert into bare_orders select * from json_populate_recordset(null::bare_orders, $1::json))
  insert into bare_events (organization_id, order_id, body)
  select * from unnest($2::uuid[], $3::uuid[], $4::text[])`;
