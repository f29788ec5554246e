-- Whether the holder of an account was ever shown to hold its address. The service sends no e-mail: the link of an
-- invitation is shown to its author. An account that came into being by the link of a merchant may therefore be held by that
-- merchant; the operator hands links over to the person. Null: never verified. There is no default, so that accounts made by
-- a service of the release before count as unverified too.
alter table users add column verified_at timestamptz;

alter table invitations add column by_operator boolean not null default false;

-- Accounts from before. Invitations always required a name and the command line never took one, so an account without a name
-- was made by the operator. One with a name is verified where the audit shows that the operator made the invitation by which
-- it came into being, which shares its id with the membership and the moment with the account. Without the trigger: what nodes
-- remember of an account does not change, and they would all forget everybody.
alter table users disable trigger users_updated;
update users u set verified_at = u.created
where u.operator_type = 'Commercial' or u.name = ''
  or exists (
    select from memberships m
    join audit_entries a on a.organization_id = m.organization_id and a.resource_id = m.id::text
    where m.user_id = u.id and m.created = u.created and a.action = 'create' and a.actor_kind in ('operator', 'cli'));
alter table users enable trigger users_updated;

update invitations i set by_operator = true
where ended_at is null and exists (
  select from audit_entries a
  where a.organization_id = i.organization_id and a.resource_id = i.id::text and a.action = 'create'
    and a.actor_kind in ('operator', 'cli'));
