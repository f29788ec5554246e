-- What an organization says of itself, and what it asks of its members.
alter table organizations
  add column currency text not null default 'SAR',
  add column vat_number text not null default '',
  add column address text not null default '',
  -- Members without a second factor reach nothing of the organization until they have one.
  add column require_totp boolean not null default false;
