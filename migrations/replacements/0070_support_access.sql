-- rolling: new tables only
-- Access of the operator's staff to one organization, with its consent. Names are stored as they were then: a record outlives its account.
-- All rows are found by organization, so that the tables can be distributed by it.

-- An operator asks; the organization allows or refuses. `expired` is written when the operator asks again.
create table support_requests (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  operator_id uuid not null,
  operator_name text not null,
  scope text not null check (scope in ('read', 'full')),
  reason text not null check (char_length(reason) between 1 and 500),
  status text not null default 'open' check (status in ('open', 'allowed', 'refused', 'withdrawn', 'expired')),
  created timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  primary key (organization_id, id)
);
create unique index support_requests_open on support_requests (organization_id, operator_id) where status = 'open';
create index support_requests_age on support_requests (organization_id, created desc);

create table support_grants (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  scope text not null check (scope in ('read', 'full')),
  reason text not null default '' check (char_length(reason) <= 500),
  -- The request that it answers, if any.
  request_id uuid,
  granted_by uuid not null,
  granted_by_name text not null,
  created timestamptz not null,
  expires_at timestamptz not null,
  -- For a grant that ran out: the time of expiry, written when the next one is made.
  ended_at timestamptz,
  ended_by_name text,
  primary key (organization_id, id)
);
create unique index support_grants_open on support_grants (organization_id) where ended_at is null;
create index support_grants_age on support_grants (organization_id, created desc, id desc);

-- One for each token with which an operator opened the organization: it ends with that token, with the grant, or by leaving.
create table support_sessions (
  organization_id uuid not null,
  id uuid not null,
  grant_id uuid not null,
  operator_id uuid not null,
  operator_name text not null,
  -- A login or a session token of the operator.
  opened_with uuid not null,
  created timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, grant_id) references support_grants (organization_id, id) on delete cascade
);
create unique index support_sessions_open on support_sessions (organization_id, grant_id, opened_with)
  where ended_at is null;

-- Nodes forget what they have cached of the organization's tokens when a grant changes, and of a support session when it ends.
create trigger support_grants_updated after update on support_grants referencing new table as changed
  for each statement execute function identity_rows_changed('organization_id');
create trigger support_grants_deleted after delete on support_grants referencing old table as changed
  for each statement execute function identity_rows_changed('organization_id');
create trigger support_sessions_updated after update on support_sessions referencing new table as changed
  for each statement execute function identity_rows_changed('id');
