-- online
-- rolling: the order of the earlier release is then sorted, of the few entries of operators
create index concurrently if not exists audit_entries_of_operators_by_time on audit_entries (at, id) where actor_kind = 'operator';
-- statement
drop index concurrently if exists audit_entries_of_operators;
-- statement
alter index if exists audit_entries_of_operators_by_time rename to audit_entries_of_operators;
