-- Who changed what: settings, team, tokens, apps, webhooks, catalog and money. Written in the transaction of the change
-- itself. No foreign keys: the record outlives what it speaks of.
create table audit_entries (
  organization_id uuid not null,
  -- Made of the time, so the order of ids is the order of events.
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'operator', 'system', 'cli')),
  actor_id text not null,
  actor_name text not null,
  action text not null,
  resource text not null,
  resource_id text not null,
  changed_fields text[] not null,
  ip text not null,
  request_id text not null,
  primary key (organization_id, id)
);
create index audit_entries_age on audit_entries (at);

-- Not by weeks like other logs: an entry is written inside a transaction that has no time to make a part first, and a
-- change must never fail for want of one. So retention deletes, and the database lets it delete what is old and no more.
create function keep_audit_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '400 days' then return old; end if;
  end if;
  raise exception 'audit entries are never changed, and kept for 400 days' using errcode = 'restrict_violation';
end $$;
create trigger audit_entries_kept before update or delete on audit_entries
  for each row execute function keep_audit_entries();
create trigger audit_entries_not_emptied before truncate on audit_entries
  for each statement execute function keep_audit_entries();
