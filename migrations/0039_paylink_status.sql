-- A paylink whose provider has not confirmed it yet has the status 'creating', which the API never shows. Before, `is_made = false` said so
-- beside the status 'created'.
alter table paylinks
  drop constraint paylinks_status_check,
  add constraint paylinks_status_check
    check (status in ('creating', 'created', 'authorized', 'captured', 'cancelled', 'expired', 'failed', 'refunded')),
  alter column status set default 'creating';
-- Only rows of requests under way, and of those that were cut off.
update paylinks set status = 'creating' where not is_made;

-- Rolling upgrade: processes of schema 0035 read is_made, insert without a status and confirm with `is_made = true`. The trigger keeps the two
-- columns in agreement for both versions. A later migration drops the column, the function and the trigger.
create function sync_paylink_is_made() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.is_made and not old.is_made and new.status = 'creating' then
    new.status := 'created';
  end if;
  new.is_made := new.status <> 'creating';
  return new;
end $$;
create trigger paylinks_is_made before insert or update on paylinks
  for each row execute function sync_paylink_is_made();

drop index paylinks_waiting;
create index paylinks_waiting on paylinks (look_at) where status = 'created';

-- Replaced by external_operations in 0035; no process of schema 0035 uses them. Stop processes of an earlier schema first (without
-- `--force` the migration refuses to run beside them). Dropping the columns drops their index paylinks_unclear.
alter table paylinks
  drop column errand,
  drop column errand_id,
  drop column errand_amount,
  drop column errand_captured_before,
  drop column errand_key,
  drop column errand_until;
