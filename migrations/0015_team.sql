-- The team of an organization: members by an id of their own, invitations, links that set a new password, and when somebody
-- was last seen.

-- Filled by the rewrite of the table and not by an update, which would tell every node to forget everybody. The default
-- stays for services of the release before, which do not name the column.
alter table memberships add column id uuid not null default gen_random_uuid();
create unique index memberships_id on memberships (organization_id, id);

-- What is accepted keeps its id as the membership. Ended ones are kept for a while, so that a used link can be told from
-- one that never was.
create table invitations (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'member', 'viewer')),
  -- As in memberships.
  branch_id uuid,
  grants_added text[] not null default '{}',
  grants_withheld text[] not null default '{}',
  token_hash bytea not null,
  expires_at timestamptz not null,
  -- Accepted, withdrawn or replaced.
  ended_at timestamptz,
  created timestamptz not null,
  primary key (organization_id, id)
);
create unique index invitations_hash on invitations (token_hash);
create unique index invitations_pending on invitations (organization_id, lower(email)) where ended_at is null;
create index invitations_expiry on invitations (expires_at);

create table password_resets (
  id uuid primary key,
  user_id uuid not null references users (id),
  token_hash bytea not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  created timestamptz not null
);
create unique index password_resets_hash on password_resets (token_hash);
create index password_resets_of_user on password_resets (user_id);
create index password_resets_expiry on password_resets (expires_at);

-- Apart from memberships and users: whatever is written there makes every node forget whom it concerns. Without foreign
-- keys, so that noting somebody waits for nobody.
create table last_seen (
  organization_id uuid not null,
  user_id uuid not null,
  seen_at timestamptz not null,
  primary key (organization_id, user_id)
);
