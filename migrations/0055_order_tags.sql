-- Tags of an order. `tag_key` is the folded text: two spellings of one tag are one tag in filters and counts.
create table order_tags (
  organization_id uuid not null,
  order_id uuid not null,
  tag_key text not null,
  tag text not null,
  position smallint not null,
  primary key (organization_id, order_id, tag_key),
  foreign key (organization_id, order_id) references orders (organization_id, id) on delete cascade
);

-- The orders of a tag, and the orders per tag without reading the table.
create unique index order_tags_by_tag on order_tags (organization_id, tag_key, order_id) include (tag);
