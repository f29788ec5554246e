-- Calls to vendors that change something there and here. The intent is stored before the call and removed in the transaction that
-- writes its outcome, so one that was cut off in between is found and settled. At most one of a kind is under way for a subject.
-- `attempts` is the fencing token: a settlement is valid only for the attempt that began it.
create table external_operations (
  organization_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  id uuid not null,
  input jsonb not null,
  attempts int not null default 1,
  lease_until timestamptz not null,
  created timestamptz not null,
  primary key (organization_id, kind, subject_id)
);
create index external_operations_expired on external_operations (kind, lease_until);
