-- Marketing intake: belongs to the platform, not to a tenant.
create table leads (
  id uuid primary key,
  name text not null,
  email text not null,
  phone text not null default '',
  position text not null default '',
  plan text not null default '',
  contact_reason text not null default '',
  erp text not null default '',
  notes text not null default '',
  created timestamptz not null
);
create index leads_newest on leads (created desc, id desc);

-- What a caller who asked for work in the background can look up. The queue itself is pg-boss's.
create table jobs (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  type text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  done int not null default 0,
  total int not null default 0,
  -- The user who asked; null for a key or the service itself.
  created_by uuid,
  -- Emptied when the job is done: it may be megabytes, and nothing reads it again.
  input jsonb,
  result jsonb,
  error jsonb,
  created timestamptz not null,
  updated timestamptz not null,
  finished timestamptz,
  primary key (organization_id, id)
);
create index jobs_created on jobs (created);
