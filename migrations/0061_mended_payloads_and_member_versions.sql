-- A failed payload that a person has mended: what the vendor sent stays beside it.
alter table staged_payloads
  add column original_payload bytea,
  add column mended_by text,
  add column mended_at timestamptz;

-- When role, branch or grants last changed: the version that If-Match names. Null: not since the row was made.
alter table memberships add column updated timestamptz;
alter table invitations add column updated timestamptz;
