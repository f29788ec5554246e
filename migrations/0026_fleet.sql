-- What the operator sees of every organization at once, without a look at what it counts: a thousand organizations with
-- twenty thousand branches and a million orders are a thousand short rows.

-- The columns of daily_sales over all days, moved with it by the projection. An organization that has never sold is missing.
create table organization_sales (
  organization_id uuid not null,
  currency text not null,
  orders bigint not null,
  sold bigint not null,
  revenue numeric not null,
  units numeric not null,
  cancelled bigint not null,
  refunded bigint not null,
  primary key (organization_id, currency)
);
insert into organization_sales (organization_id, currency, orders, sold, revenue, units, cancelled, refunded)
select organization_id, currency, sum(orders), sum(sold), sum(revenue), sum(units), sum(cancelled), sum(refunded)
from daily_sales group by organization_id, currency;

-- Branches and members. As with the sums of billing, writers only add rows to the changes, so that two who open branches of
-- one organization never wait for each other; a reader adds both up, and a job folds the changes into the counts.
create table organization_counts (
  organization_id uuid primary key,
  branches bigint not null,
  members bigint not null
);
create table organization_count_changes (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  branches bigint not null,
  members bigint not null
);

create function count_new_branches() returns trigger language plpgsql as $$
begin
  insert into organization_count_changes (organization_id, branches, members)
  select organization_id, count(*), 0 from added group by organization_id;
  return null;
end $$;
create trigger branches_counted after insert on branches
  referencing new table as added for each statement execute function count_new_branches();

create function count_removed_branches() returns trigger language plpgsql as $$
begin
  insert into organization_count_changes (organization_id, branches, members)
  select organization_id, -count(*), 0 from removed group by organization_id;
  return null;
end $$;
create trigger branch_removals_counted after delete on branches
  referencing old table as removed for each statement execute function count_removed_branches();

create function count_new_members() returns trigger language plpgsql as $$
begin
  insert into organization_count_changes (organization_id, branches, members)
  select organization_id, 0, count(*) from added group by organization_id;
  return null;
end $$;
create trigger members_counted after insert on memberships
  referencing new table as added for each statement execute function count_new_members();

create function count_removed_members() returns trigger language plpgsql as $$
begin
  insert into organization_count_changes (organization_id, branches, members)
  select organization_id, 0, -count(*) from removed group by organization_id;
  return null;
end $$;
create trigger member_removals_counted after delete on memberships
  referencing old table as removed for each statement execute function count_removed_members();

insert into organization_counts (organization_id, branches, members)
select o.id, (select count(*) from branches b where b.organization_id = o.id),
       (select count(*) from memberships m where m.organization_id = o.id)
from organizations o;

-- An organization's part of the fleet that hardly ever changes, as it is sent: two thirds of the answer need no conversion
-- when it is read. to_json says that it is only stable, which for text it need not.
create function json_of(value text) returns text immutable strict parallel safe language sql as $$
  select to_json(value)::text
$$;
alter table organizations add column fleet_label text not null generated always as (
  '{"organization_id":"' || id::text || '","name_en":' || json_of(name_en) || ',"name_ar":' || json_of(name_ar)
) stored;
