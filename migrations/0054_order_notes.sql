-- Notes that members write about an order. The foreign key deletes them with their order; an update of an order that keeps its id does not
-- look here. Adding the key locks `orders` against writes for a moment: the new table is empty and nothing is scanned.
create table order_notes (
  organization_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  body text not null,
  author_kind text not null check (author_kind in ('user', 'api_key', 'operator', 'system', 'cli')),
  author_id text not null,
  -- As the author was called then.
  author_name text not null,
  created timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders (organization_id, id) on delete cascade
);
