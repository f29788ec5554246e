-- What a key opens, where, and until when. One without grants opens the list of installed apps and nothing else, as all
-- of them did so far.
alter table api_keys
  add column grants text[] not null default '{}',
  -- As for memberships: no foreign key, so that a key of a branch that is gone sees nothing, not everything.
  add column branch_id uuid,
  -- As it was called when the key was made: the list has to say that a key is confined, also once the branch is gone.
  add column branch_iv_id text,
  add column expires_at timestamptz;

-- Apart from the keys themselves: every update of those makes each node forget and read again.
create table api_key_uses (
  organization_id uuid not null,
  api_key_id uuid not null,
  used_at timestamptz not null,
  primary key (organization_id, api_key_id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade
);

create table second_factors (
  user_id uuid primary key references users (id),
  -- Sealed: whoever reads the database alone cannot make codes.
  secret bytea not null,
  -- Absent until the first code was shown; until then it is asked of nobody.
  confirmed_at timestamptz,
  -- The step of the last code that was taken. No code of it or of one before it is taken again.
  last_step bigint not null default 0,
  -- Codes tried since then, across all nodes, the right one aside.
  tries int not null default 0,
  tries_since timestamptz,
  created timestamptz not null
);

create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Row by row and only where it matters: every login moves last_step, which changes nothing for anybody's tokens.
create function second_factor_changed() returns trigger language plpgsql as $$
begin
  perform record_identity_change(array[case when tg_op = 'DELETE' then old.user_id else new.user_id end]);
  return null;
end $$;
create trigger second_factors_updated after update on second_factors for each row
  when (new.confirmed_at is distinct from old.confirmed_at) execute function second_factor_changed();
create trigger second_factors_inserted after insert on second_factors for each row
  when (new.confirmed_at is not null) execute function second_factor_changed();
create trigger second_factors_deleted after delete on second_factors for each row
  when (old.confirmed_at is not null) execute function second_factor_changed();
