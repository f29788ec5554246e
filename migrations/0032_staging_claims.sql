-- A queued payload is claimed before it is worked on: `claim_id` says by which claim, `attempts` counts it at once, and `due_at` is
-- the end of its lease. So work that was under way when a process died counts as an attempt. `stage` keeps what needs a call to a
-- vendor apart from what needs the database alone: the two have workers of their own.
alter table staging_queue
  add column stage text not null default 'read' check (stage in ('read', 'call')),
  add column claim_id uuid;

update staging_queue set stage = 'call' where app_slug like '%-sync' or app_slug like '%-paylinks';

drop index staging_queue_due;
create index staging_queue_due on staging_queue (stage, organization_app_id, due_at, staging_id);
create index staging_queue_claims on staging_queue (organization_app_id, claim_id) where claim_id is not null;

-- What each install has sent a day, for its storage quota. Added up in memory and written once a second.
create table ingest_usage (
  organization_id uuid not null,
  organization_app_id uuid not null,
  day date not null,
  payloads bigint not null,
  bytes bigint not null,
  primary key (organization_id, organization_app_id, day)
);
create index ingest_usage_day on ingest_usage (day);
