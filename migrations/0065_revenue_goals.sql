-- The revenue that an organization wants to make in a month, in its own currency. The month is its first day.
create table revenue_goals (
  organization_id uuid not null references organizations (id),
  month date not null check (month = date_trunc('month', month)::date),
  revenue numeric not null check (revenue > 0),
  updated timestamptz not null,
  primary key (organization_id, month)
);
