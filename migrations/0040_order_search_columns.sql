-- online
-- Order search by words, telephone numbers and beginnings. The trigram index cost 8 kB of WAL and 260 us of CPU per order; the
-- columns and indexes that replace it cost 0.7 kB and 20 us. The columns are nullable without a default: adding them changes no row.
-- search_text stays, without values in new rows, for processes of the previous release. The next release drops it.
alter table orders
  add column if not exists search_words tsvector,
  add column if not exists phone_digits text collate "C",
  alter column search_text drop not null;
-- statement
-- Before the backfill: each updated row would be indexed again.
drop index concurrently if exists orders_search;
