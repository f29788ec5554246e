-- Whether what was read of the fleet is still so, without reading it again: a transaction that changes a source of it leaves
-- its number here, once. Numbers become visible out of their order, so a reader keeps its snapshot and asks for numbers that
-- this could not see. Nobody waits for anybody: everyone writes a row of its own.
create table fleet_changes (
  transaction_id xid8 primary key default pg_current_xact_id()
);

-- Numbers below `forgotten` are no longer there; those below `forget_next` will not be after the next round.
create table fleet_changes_kept (
  only_row boolean primary key default true check (only_row),
  forgotten xid8 not null,
  forget_next xid8 not null
);
insert into fleet_changes_kept (forgotten, forget_next) values ('0', pg_snapshot_xmin(pg_current_snapshot()));

create function note_fleet_change() returns trigger language plpgsql as $$
begin
  insert into fleet_changes default values on conflict do nothing;
  return null;
end $$;

create trigger fleet_changed after insert or update or delete on organizations
  for each statement execute function note_fleet_change();
create trigger fleet_changed after insert or update or delete on organization_sales
  for each statement execute function note_fleet_change();
create trigger fleet_changed after insert or update or delete on billing_accounts
  for each statement execute function note_fleet_change();
-- What changes are folded into need not say so: the sum of both stays the same.
create trigger fleet_changed after insert on organization_count_changes
  for each statement execute function note_fleet_change();
create trigger fleet_changed after insert on billing_sum_changes
  for each statement execute function note_fleet_change();
