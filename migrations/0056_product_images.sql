-- Images of a product in their order: [{"id", "key", "alt_en", "alt_ar"}], at most 8. A column, because every list of products shows them:
-- a table would add a join or a second statement to each page. A constant default rewrites no row.
alter table products add column images jsonb not null default '[]';
