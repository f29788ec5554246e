-- rolling: a nullable column
-- The grant under which an operator acted inside an organization; null for every other entry. A column without a default: no rewrite.
alter table audit_entries add column support_grant_id uuid;
