-- Statuses, sources and fulfilment words are free text, so the combinations that order_counts counts have no end. Past a
-- bound for each tenant, an order in a combination not counted yet gets a row here instead, and order_counts counts all
-- such orders of a tenant or branch in one row whose words are empty. Totals without a filter stay a sum of counts; with
-- one, the matching rows here are added.
create table rare_orders (
  organization_id uuid not null references organizations (id),
  order_id uuid not null,
  destination_id uuid,
  order_status text not null,
  payment_status text not null,
  fulfillment_status text not null,
  source text not null,
  currency text not null,
  primary key (organization_id, order_id)
);
create index rare_orders_by_status on rare_orders (organization_id, order_status);
