-- fleet_change_history says which transaction numbers are no longer in fleet_changes: those below `forgotten`, and after the
-- next round those below `forget_next`. The view is for processes of the previous release, which read and update it under the
-- former name. It is auto-updatable.
alter table fleet_changes_kept rename to fleet_change_history;
create view fleet_changes_kept as select only_row, forgotten, forget_next from fleet_change_history;
