-- Jobs: what a caller sends and gets back keeps its own order of keys, which jsonb would change.
alter table jobs
  alter column input type json using input::json,
  alter column result type json using result::json,
  alter column error type json using error::json,
  add column input_bytes int not null default 0,
  -- Who may read this resource may look the job up.
  add column resource text not null default 'Orders';
update jobs set resource = 'Webhooks' where type = 'recover-webhook-deliveries';
-- What a tenant has waiting is counted whenever it asks for more.
create index jobs_waiting on jobs (organization_id, type) include (input_bytes) where status = 'queued';

-- Whose turn it is, for each type of job. A tenant's next job gets a number one past its last, but never one behind the
-- job that was begun last: a backlog stretches into the future and a newcomer starts at the present. Without foreign
-- keys: it belongs to the queue, which stays on one node however the tenants are spread.
create table job_turns (
  organization_id uuid not null,
  type text not null,
  turn bigint not null,
  primary key (organization_id, type)
);
create table job_clocks (
  type text primary key,
  turn bigint not null
);

-- Refresh tokens are numbered and signed, and can be told from made-up ones without being stored. Logins from before have
-- the hash of a random one; it counts as number 0.
alter table login_sessions
  alter column refresh_hash drop not null,
  add column refresh_number int not null default 0,
  add column refreshed_at timestamptz;

create index login_sessions_expiry on login_sessions (expires_at);
create index session_tokens_live on session_tokens (user_id) where revoked_at is null;
create index session_tokens_expiry on session_tokens (expires_at) where expires_at is not null;
create index session_tokens_revoked on session_tokens (revoked_at) where revoked_at is not null;
create index api_keys_live on api_keys (organization_id) where revoked_at is null;
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;

-- Whose tokens a change concerns: ids of users, organizations, logins, session tokens and API keys, all in one column
-- since no two of them are alike. A node reads the changes past the epoch it has seen and forgets those alone. Null ids
-- stand for everybody.
create table identity_changes (
  id bigint generated always as identity primary key,
  epoch bigint,
  ids uuid[]
);
create unique index identity_changes_epoch on identity_changes (epoch);

drop trigger organizations_identity on organizations;
drop trigger users_identity on users;
drop trigger memberships_identity on memberships;
drop trigger login_sessions_identity on login_sessions;
drop trigger session_tokens_identity on session_tokens;
drop trigger api_keys_identity on api_keys;
drop function raise_identity_epoch();

create function record_identity_change(concerned uuid[]) returns void language sql as $$
  insert into identity_changes (ids)
  select case when cardinality(concerned) <= 1000 then concerned end where cardinality(concerned) > 0
$$;

-- At the very end of the transaction, after every other lock it takes: whoever holds the epoch waits for nobody, so that
-- no order of changes can end in a deadlock over it. It is held until the commit, so epochs are visible in their order
-- and without gaps.
create function raise_identity_epoch() returns trigger language plpgsql as $$
declare
  raised bigint;
begin
  update identity_epoch set value = value + 1 returning value into raised;
  update identity_changes set epoch = raised where id = new.id;
  -- The ids save the nodes a moment where they fit into a notice; what counts is the table.
  perform pg_notify('identity_changed', case when cardinality(new.ids) <= 100 then array_to_string(new.ids, ',') else '' end);
  return null;
end $$;
create constraint trigger identity_changes_raise after insert on identity_changes
  deferrable initially deferred for each row execute function raise_identity_epoch();

-- The argument names the column that says whom a row concerns.
create function identity_rows_changed() returns trigger language plpgsql as $$
declare
  concerned uuid[];
begin
  execute format('select array_agg(distinct %I) from changed', tg_argv[0]) into concerned;
  perform record_identity_change(concerned);
  return null;
end $$;

create trigger organizations_updated after update on organizations referencing new table as changed
  for each statement execute function identity_rows_changed('id');
create trigger organizations_deleted after delete on organizations referencing old table as changed
  for each statement execute function identity_rows_changed('id');
create trigger users_updated after update on users referencing new table as changed
  for each statement execute function identity_rows_changed('id');
create trigger users_deleted after delete on users referencing old table as changed
  for each statement execute function identity_rows_changed('id');
create trigger memberships_inserted after insert on memberships referencing new table as changed
  for each statement execute function identity_rows_changed('user_id');
create trigger memberships_updated after update on memberships referencing new table as changed
  for each statement execute function identity_rows_changed('user_id');
create trigger memberships_deleted after delete on memberships referencing old table as changed
  for each statement execute function identity_rows_changed('user_id');
create trigger api_keys_updated after update on api_keys referencing new table as changed
  for each statement execute function identity_rows_changed('id');
create trigger api_keys_deleted after delete on api_keys referencing old table as changed
  for each statement execute function identity_rows_changed('id');
create trigger login_sessions_deleted after delete on login_sessions referencing old table as changed
  for each statement execute function identity_rows_changed('id');
create trigger session_tokens_updated after update on session_tokens referencing new table as changed
  for each statement execute function identity_rows_changed('id');
create trigger session_tokens_deleted after delete on session_tokens referencing old table as changed
  for each statement execute function identity_rows_changed('id');

-- A login is also updated whenever it is refreshed, which changes nothing for the tokens it has issued.
create function login_sessions_changed() returns trigger language plpgsql as $$
begin
  perform record_identity_change(array(
    select became.id from became join was using (id)
    where became.revoked_at is distinct from was.revoked_at or became.organization_id is distinct from was.organization_id));
  return null;
end $$;
create trigger login_sessions_updated after update on login_sessions referencing old table as was new table as became
  for each statement execute function login_sessions_changed();
