-- Who may ask: organizations (tenants), users, memberships, and the tokens that stand for them.
-- Users and tokens belong to no tenant: a user may be a member of several organizations.

create table organizations (
  id uuid primary key,
  name_en text not null,
  name_ar text not null,
  is_active boolean not null default true,
  suspended_at timestamptz,
  time_zone text not null default 'Asia/Riyadh',
  plan text not null default 'standard',
  period_end timestamptz,
  created timestamptz not null,
  updated timestamptz not null
);

create table users (
  id uuid primary key,
  email text not null,
  name text not null default '',
  password_hash text not null,
  operator_type text not null check (operator_type in ('Merchant', 'Commercial')),
  is_active boolean not null default true,
  created timestamptz not null,
  updated timestamptz not null
);
create unique index users_email on users (lower(email));

create table memberships (
  organization_id uuid not null references organizations (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'member', 'viewer')),
  -- Confined to one branch when set. No foreign key: once the branch is gone, the account sees nothing, not everything.
  branch_id uuid,
  grants_added text[] not null default '{}',
  grants_withheld text[] not null default '{}',
  created timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_of_user on memberships (user_id, created);

-- A login. Its JWTs and refresh tokens carry the id; the refresh token changes at every use, so one of this login that
-- is not the current one is a used one, and a stolen copy shows as soon as both holders have used theirs.
create table login_sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  organization_id uuid references organizations (id),
  refresh_hash bytea not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created timestamptz not null
);
create index login_sessions_of_user on login_sessions (user_id);

create table session_tokens (
  id uuid primary key,
  user_id uuid not null references users (id),
  organization_id uuid references organizations (id),
  name text not null default '',
  token_hash bytea not null,
  hint text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created timestamptz not null
);
create unique index session_tokens_hash on session_tokens (token_hash);
create index session_tokens_of_user on session_tokens (user_id, created);

create table api_keys (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null default '',
  key_hash bytea not null,
  hint text not null,
  created_by uuid references users (id),
  revoked_at timestamptz,
  created timestamptz not null,
  primary key (organization_id, id)
);
create unique index api_keys_hash on api_keys (key_hash);

-- Every node caches who a token stands for. Whatever changes that raises the epoch in the same transaction, so a node
-- that sees the new epoch also sees the change; the notice makes it quick, the nodes' own reading makes it certain.
create table identity_epoch (
  only_row boolean primary key default true check (only_row),
  value bigint not null
);
insert into identity_epoch (value) values (1);

create function raise_identity_epoch() returns trigger language plpgsql as $$
begin
  update identity_epoch set value = value + 1;
  perform pg_notify('identity_changed', '');
  return null;
end $$;

create trigger organizations_identity after update or delete on organizations
  for each statement execute function raise_identity_epoch();
create trigger users_identity after update or delete on users
  for each statement execute function raise_identity_epoch();
create trigger memberships_identity after insert or update or delete on memberships
  for each statement execute function raise_identity_epoch();
create trigger login_sessions_identity after update of revoked_at or delete on login_sessions
  for each statement execute function raise_identity_epoch();
create trigger session_tokens_identity after update of revoked_at, expires_at or delete on session_tokens
  for each statement execute function raise_identity_epoch();
create trigger api_keys_identity after update or delete on api_keys
  for each statement execute function raise_identity_epoch();

create table idempotency_keys (
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status int,
  answer bytea,
  created timestamptz not null,
  primary key (scope, key)
);
create index idempotency_keys_created on idempotency_keys (created);

-- Small facts about this installation, such as whether the demo was loaded.
create table service_facts (
  name text primary key,
  value text not null
);
