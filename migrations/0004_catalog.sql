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
  -- As it was sent, and the same as normalised periods.
  working_hours jsonb,
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
create index products_newest on products (organization_id, created desc, id desc) where not is_deleted;
create index products_of_brand on products (organization_id, brand_id) where not is_deleted;
create index products_of_category on products (organization_id, category_id) where not is_deleted;
create index products_search on products using gin (organization_id, search_text gin_trgm_ops) where not is_deleted;

-- The matrix. The id is derived from the pair (see modules/skus), so it needs no index of its own.
create table skus (
  organization_id uuid not null references organizations (id),
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
  primary key (organization_id, branch_id, product_id),
  constraint skus_iv_id unique (organization_id, iv_id),
  constraint skus_product foreign key (organization_id, product_id) references products (organization_id, id),
  constraint skus_branch foreign key (organization_id, branch_id) references branches (organization_id, id)
);
create index skus_of_product on skus (organization_id, product_id);
