-- Whether a dashboard that was read is still so. A transaction that changes a source of dashboards adds its number for the tenant. Numbers
-- become visible out of order, so a reader stores its snapshot and looks for numbers that the snapshot could not see (as fleet_changes
-- does). Writers never wait for each other: each adds its own row. Sales and events are not here, they have versions of their own.
create table dashboard_changes (
  -- All zeros: every tenant.
  organization_id uuid not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  primary key (organization_id, transaction_id)
);

-- Numbers below `forgotten` are no longer in dashboard_changes; those below `forget_next` will not be after the next round.
create table dashboard_change_history (
  only_row boolean primary key default true check (only_row),
  forgotten xid8 not null,
  forget_next xid8 not null
);
insert into dashboard_change_history (forgotten, forget_next) values ('0', pg_snapshot_xmin(pg_current_snapshot()));

-- For tables whose statements change many rows.
create function note_dashboard_changes() returns trigger language plpgsql as $$
begin
  insert into dashboard_changes (organization_id) select distinct organization_id from changed on conflict do nothing;
  return null;
end $$;

do $$
declare
  source text;
begin
  foreach source in array array['skus', 'products', 'branches', 'branch_fees', 'forecasts', 'forecast_states'] loop
    execute format('create trigger dashboard_rows_added after insert on %I referencing new table as changed
      for each statement execute function note_dashboard_changes()', source);
    execute format('create trigger dashboard_rows_changed after update on %I referencing new table as changed
      for each statement execute function note_dashboard_changes()', source);
    execute format('create trigger dashboard_rows_removed after delete on %I referencing old table as changed
      for each statement execute function note_dashboard_changes()', source);
  end loop;
end $$;

create function note_dashboard_change() returns trigger language plpgsql as $$
begin
  insert into dashboard_changes (organization_id)
  values (case when tg_op = 'DELETE' then old.organization_id else new.organization_id end) on conflict do nothing;
  return null;
end $$;

-- By row and condition: an install is updated with every payload and a subscription with every batch of deliveries, and no dashboard shows
-- the time of a success.
create trigger dashboard_changed after insert or delete on app_installs
  for each row execute function note_dashboard_change();
create trigger dashboard_row_changed after update on app_installs for each row
  when (new.failures_in_a_row > 0 or (old.app_slug, old.family, old.name_en, old.name_ar, old.enabled, old.failures_in_a_row, old.updated)
    is distinct from (new.app_slug, new.family, new.name_en, new.name_ar, new.enabled, new.failures_in_a_row, new.updated))
  execute function note_dashboard_change();
create trigger dashboard_changed after insert or delete on webhook_subscriptions
  for each row execute function note_dashboard_change();
create trigger dashboard_row_changed after update on webhook_subscriptions for each row
  when ((old.url, old.status, old.failing_since, old.updated) is distinct from (new.url, new.status, new.failing_since, new.updated))
  execute function note_dashboard_change();

create function note_dashboard_organization() returns trigger language plpgsql as $$
begin
  insert into dashboard_changes (organization_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger dashboard_changed after update on organizations
  for each row execute function note_dashboard_organization();

create function note_dashboard_posts() returns trigger language plpgsql as $$
begin
  insert into dashboard_changes (organization_id) values ('00000000-0000-0000-0000-000000000000') on conflict do nothing;
  return null;
end $$;
create trigger dashboard_changed after insert or update or delete on posts
  for each statement execute function note_dashboard_posts();
