-- The sales pipeline beside the intake: the form stays as it was sent; status, assignee and notes are the operator's.
alter table leads
  add column status text not null default 'new' check (status in ('new', 'contacted', 'qualified', 'won', 'lost')),
  add column assignee_id uuid references users (id) on delete set null,
  add column notes_count int not null default 0 check (notes_count >= 0),
  -- null until an operator changes the lead.
  add column updated timestamptz;
create index leads_by_status on leads (status, created desc, id desc);
create index leads_by_assignee on leads (assignee_id, created desc, id desc) where assignee_id is not null;

create table lead_notes (
  lead_id uuid not null references leads (id) on delete cascade,
  id uuid not null,
  body text not null check (char_length(body) between 1 and 2000),
  author_id text not null,
  -- As it was when the note was written: the account may be gone.
  author_name text not null,
  created timestamptz not null,
  primary key (lead_id, id)
);
