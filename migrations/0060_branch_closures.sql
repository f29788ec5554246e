-- Days on which a branch stays closed whatever its hours: holidays, stocktaking, repairs.
create table branch_closures (
  organization_id uuid not null,
  branch_id uuid not null,
  id uuid not null,
  starts_on date not null,
  -- Included.
  ends_on date not null,
  reason_en text not null default '',
  reason_ar text not null default '',
  created timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, branch_id) references branches (organization_id, id) on delete cascade,
  check (ends_on >= starts_on)
);
create index branch_closures_of_branch on branch_closures (organization_id, branch_id, starts_on);

-- The same days beside the hours, for "open now" and "open at": moved by the transaction that moves a closure.
alter table branches add column closed_days datemultirange not null default '{}';
