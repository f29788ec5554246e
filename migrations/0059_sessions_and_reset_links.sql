-- Where a login is used from, shown to its own user. Written at login and at each refresh, which update the row anyway: no request
-- costs a write of its own. Logins from before have neither.
alter table login_sessions
  add column user_agent text not null default '',
  add column ip text not null default '';

-- Who made a link for a new password: an organization for its own member, or (null) the operator, as all were until now.
alter table password_resets add column organization_id uuid references organizations (id);
