-- The audit is listed newest first by when things happened, so that is its key. Retention asks tenant by tenant and
-- finds the oldest at the other end of the same index; one index less to write for every entry.
alter table audit_entries drop constraint audit_entries_pkey;
alter table audit_entries add primary key (organization_id, at, id);
drop index audit_entries_age;
-- There are few resources and actions, and audit_counts names those in use: a page of either is a merge of a few walks.
create index audit_entries_words on audit_entries (organization_id, resource, action, at, id);
-- With the words in it, so that an actor's entries are counted and sifted without a look at the table.
create index audit_entries_actor on audit_entries (organization_id, actor_id, at, id) include (resource, action);
create index audit_entries_record on audit_entries (organization_id, resource_id, at, id);

-- How many there are by resource and action, so that page 1 costs the same after a million of them. Moved by the
-- statement that writes or forgets entries; in slots, so that writers do not queue behind one row. Both columns only
-- grow, so as long as their sum stands still nothing in the list is different.
create table audit_counts (
  organization_id uuid not null,
  resource text not null,
  action text not null,
  slot smallint not null,
  written bigint not null,
  forgotten bigint not null,
  primary key (organization_id, resource, action, slot)
);
insert into audit_counts (organization_id, resource, action, slot, written, forgotten)
select organization_id, resource, action, 0, count(*), 0 from audit_entries group by organization_id, resource, action;
