-- Payment links, orders that are paid through them, and what gateways tell of money that moved.

-- One payment that a customer is asked to agree to. The order may be deleted while its payment stays on record: no foreign key.
create table paylinks (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  provider text not null,
  -- The install it was made through; it may be removed since.
  organization_app_id uuid not null,
  order_id uuid,
  -- False while the provider has not answered yet whether there is such a payment: nobody sees the row until then.
  is_made boolean not null default false,
  status text not null default 'created'
    check (status in ('created', 'authorized', 'captured', 'cancelled', 'expired', 'failed', 'refunded')),
  amount numeric not null check (amount > 0),
  currency text not null,
  url text,
  provider_reference text,
  session_reference text,
  captured_amount numeric not null default 0,
  refunded_amount numeric not null default 0,
  is_sandbox boolean not null,
  needs_phone boolean not null default false,
  -- Whose request makes it: a repeat that arrives meanwhile waits for it.
  request_key text,
  -- What is being done to it at the provider, written down before the provider is told: at most one thing at a time.
  errand text check (errand in ('create', 'capture', 'cancel')),
  -- Ours, of this errand; a capture that is asked for again goes out under the same one.
  errand_id uuid,
  errand_amount numeric,
  -- What was captured when it began: tells a repeat from a second one where the provider takes no reference.
  errand_captured_before numeric,
  errand_key text,
  -- Until then whoever began it is at it; afterwards its outcome is unclear and the provider is asked.
  errand_until timestamptz,
  expires_at timestamptz,
  -- When the provider is asked by ourselves what became of a page that nobody has agreed to.
  look_at timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id)
);
create index paylinks_newest on paylinks (organization_id, provider, created desc, id desc);
create index paylinks_of_order on paylinks (organization_id, order_id, created desc) where order_id is not null;
create index paylinks_by_reference on paylinks (organization_id, provider, provider_reference);
create unique index paylinks_by_request on paylinks (organization_id, request_key) where request_key is not null;
-- What the sweeper looks for, over all tenants.
create index paylinks_unclear on paylinks (errand_until) where errand is not null;
create index paylinks_waiting on paylinks (look_at) where is_made and status = 'created';

-- Captures that were carried out. A request that comes again under its key finds that it was.
create table paylink_captures (
  organization_id uuid not null,
  paylink_id uuid not null,
  id uuid not null,
  amount numeric not null,
  request_key text,
  created timestamptz not null,
  primary key (organization_id, paylink_id, id),
  foreign key (organization_id, paylink_id) references paylinks (organization_id, id)
);

-- Which order was made to be paid, and through whom.
create table payment_orders (
  organization_id uuid not null references organizations (id),
  order_id uuid not null,
  accepted_gateways text[] not null,
  active_gateway text not null,
  paylink_id uuid not null,
  created timestamptz not null,
  primary key (organization_id, order_id)
);

-- What the pretended provider keeps. Found by the token of its page alone, so that index does not begin with the tenant.
create table sandbox_payments (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  token_hash bytea not null,
  provider text not null,
  status text not null
    check (status in ('created', 'authorized', 'captured', 'cancelled', 'expired', 'failed', 'refunded')),
  amount numeric not null,
  currency text not null,
  captured_amount numeric not null default 0,
  refunded_amount numeric not null default 0,
  capture_references text[] not null default '{}',
  expires_at timestamptz not null,
  created timestamptz not null,
  primary key (organization_id, id)
);
create index sandbox_payments_by_token on sandbox_payments (token_hash);

-- Money that moved at a gateway, as the gateway tells it.
create table gateway_transactions (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  provider text not null,
  organization_app_id uuid not null,
  provider_reference text not null,
  parent_reference text,
  merchant_reference text,
  order_id uuid,
  matched_by text check (matched_by in ('reference', 'amount_and_time', 'hand')),
  amount numeric not null,
  currency text not null,
  status text not null check (status in ('pending', 'paid', 'refunded', 'failed', 'cancelled')),
  fee numeric,
  refunded_amount numeric not null default 0,
  occurred_at timestamptz not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id)
);
create unique index gateway_transactions_by_reference
  on gateway_transactions (organization_id, organization_app_id, provider_reference);
create index gateway_transactions_newest on gateway_transactions (organization_id, created desc, id desc);
create index gateway_transactions_of_order on gateway_transactions (organization_id, order_id) where order_id is not null;

-- A gateway's merchant reference is often the number that people see. Orders of channels alone have one.
create index orders_by_source_reference on orders (organization_id, source_reference) where source_reference is not null;
