-- Every sort and every exact filter of the order list walks an index: a page costs what it shows, not what there is.
-- Plain builds, since migrations run in a transaction: they hold writers of orders off, for 1 to 3 s each with 230,000 of
-- them on two busy cores.

-- Both ways: read backwards, the second gives names descending with the nameless first, as `order by` does by itself.
create index orders_by_amount on orders (organization_id, total_amount, id);
create index orders_by_customer on orders (organization_id, customer_name, id);
create index orders_of_email on orders (organization_id, customer_email, created_at desc, id desc)
  where customer_email is not null;
create index orders_of_source on orders (organization_id, source, created_at desc, id desc);
-- None for a branch with these sorts: walking the tenant's index past other branches, or sorting a small branch, is at
-- most some thousand rows whichever of the two the planner takes, and every further index costs every order written.
