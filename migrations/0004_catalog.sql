-- Branches, products and the SKU matrix between them.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Exact totals for lists without counting them. A total is the sum of its slots; writers spread over the slots so that
-- they do not queue behind one row.
create table list_totals (
  organization_id uuid not null references organizations (id),
  list text not null,
  slot smallint not null,
  total bigint not null,
  primary key (organization_id, list, slot)
);

create table brands (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name_en text not null,
  name_ar text not null,
  search_text text not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id)
);
create index brands_newest on brands (organization_id, created desc, id desc);

create table categories (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name_en text not null,
  name_ar text not null,
  search_text text not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id)
);
create index categories_newest on categories (organization_id, created desc, id desc);

create table branches (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  iv_id text not null,
  name_en text not null default '',
  name_ar text not null default '',
  email text not null default '',
  active boolean not null default true,
  status text not null default 'New'
    check (status in ('New', 'Pending', 'Verifying', 'Published', 'Rejected', 'Terminated')),
  lat float8 check (lat between -90 and 90),
  lon float8 check (lon between -180 and 180),
  city text,
  apple_maps_id text not null default '',
  google_maps_id text not null default '',
  -- Absent: the organization's.
  time_zone text,
  -- As it was sent (json keeps the order of the days, jsonb would not), and the same as normalised periods.
  working_hours json,
  working_hours_periods jsonb not null default '[]',
  -- The periods as minutes of the week, for "open at" in SQL.
  open_minutes int4multirange not null default '{}',
  hero_image text,
  banner_image text,
  photos text[] not null default '{}',
  search_text text not null default '',
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id),
  constraint branches_iv_id unique (organization_id, iv_id),
  check ((lat is null) = (lon is null))
);
create index branches_newest on branches (organization_id, created desc, id desc);
create index branches_place on branches (organization_id, lat, lon) where lat is not null;
create index branches_search on branches using gin (organization_id, search_text gin_trgm_ops);

-- Files in the store that no row refers to: still being received, or no longer wanted. A row is here before its file is,
-- and whoever starts to refer to the file takes the row away in the same transaction, so a crash at any moment leaves
-- nothing that the sweep does not find. A work list, not a tenant's table: the owner is the first part of the key.
create table unclaimed_files (
  key text primary key,
  created timestamptz not null
);
create index unclaimed_files_oldest on unclaimed_files (created);

create table products (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  iv_id text not null,
  name_en text not null default '',
  name_ar text not null default '',
  average_price numeric not null default 0 check (average_price >= 0),
  vat_value numeric not null default 0 check (vat_value between 0 and 100),
  barcode text not null default '',
  brand_id uuid,
  category_id uuid,
  generic_id text not null default '',
  is_enabled boolean not null default true,
  is_deleted boolean not null default false,
  search_text text not null default '',
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id),
  constraint products_brand foreign key (organization_id, brand_id) references brands (organization_id, id),
  constraint products_category foreign key (organization_id, category_id) references categories (organization_id, id)
);
create unique index products_iv_id on products (organization_id, iv_id) where not is_deleted;
create unique index products_barcode on products (organization_id, barcode) where barcode <> '' and not is_deleted;
-- Ascending, because new rows then land at the right edge; read backwards.
create index products_newest on products (organization_id, created, id) where not is_deleted;
-- Deleted products too: the foreign keys look here when a brand or category goes.
create index products_of_brand on products (organization_id, brand_id) where brand_id is not null;
create index products_of_category on products (organization_id, category_id) where category_id is not null;
-- Entries wait in a list that every search reads in full (2 ms per 1,000 products) until it has this many kB. Without
-- the list an insert takes ten times as long, with the default of 4 MB a search right after an import up to 8 ms.
create index products_search on products using gin (organization_id, search_text gin_trgm_ops)
  with (gin_pending_list_limit = 1024) where not is_deleted;

-- The matrix. The id is derived from the pair (see modules/skus), so it needs no index of its own.
-- Both parents carry the reference to the organization. A third one here would be checked again for every pair: 268 ms
-- of processor time for 5,000 pairs instead of 220.
create table skus (
  organization_id uuid not null,
  product_id uuid not null,
  branch_id uuid not null,
  id uuid not null,
  iv_id text not null,
  -- Absent: the product's price.
  price numeric check (price >= 0),
  current_qty numeric not null default 0,
  reorder_threshold numeric not null default 0 check (reorder_threshold >= 0),
  buffer numeric not null default 0 check (buffer >= 0),
  is_enabled boolean not null default true,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, product_id, branch_id),
  constraint skus_iv_id unique (organization_id, iv_id),
  constraint skus_product foreign key (organization_id, product_id) references products (organization_id, id),
  constraint skus_branch foreign key (organization_id, branch_id) references branches (organization_id, id)
);
-- The default order of the list, over all branches and within one. Thousands of pairs share one `created`, so the ids
-- that break the tie are part of the index. Ascending, because new rows then land at the right edge; read backwards.
-- Of the 220 ms above they take 15 and 24. Stock changes touch no indexed column.
create index skus_newest on skus (organization_id, created, product_id, branch_id);
create index skus_of_branch on skus (organization_id, branch_id, created, product_id);
