-- Where a login is used from, shown to its own user. Written at login and at each refresh, which update the row anyway: no request
-- costs a write of its own. Logins from before have neither.
alter table login_sessions
  add column user_agent text not null default '',
  add column ip text not null default '';
