-- online
-- As orders_by_word: entries that wait are read by every search, so their list is short.
create index concurrently if not exists customers_by_word on customers using gin (search_words)
  with (fastupdate = on, gin_pending_list_limit = 64) where search_words is not null;
-- statement
drop index concurrently if exists customers_search;
-- statement
vacuum analyze customers;
