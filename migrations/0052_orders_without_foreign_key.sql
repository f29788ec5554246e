-- Every order was checked against its organization, and the organization's row locked for it: 20 us of the 215 that PostgreSQL takes for
-- an order. Organizations are never deleted, and an order is written for an authenticated organization only. The tables that are written
-- with an order (changes, outbox, counts) never had such a check.
alter table orders drop constraint orders_organization_id_fkey;
