-- What each source (gateway, provider, vendor, till, person) last reported of an order's payment. Null for an order of which the
-- status and its only source say everything, which is nearly every order: a null column takes no room in the row.
alter table orders add column payment_facts jsonb;

-- Orders whose payment was verified before facts were kept. Only those that a payment company was matched with are written.
update orders o set payment_facts = jsonb_build_object('gateway', o.payment_status)
from gateway_transactions t
where t.organization_id = o.organization_id and t.order_id = o.id and t.status in ('paid', 'refunded')
  and o.payment_status in ('completed', 'paid', 'refunded');
update orders o set payment_facts = coalesce(o.payment_facts, '{}') || jsonb_build_object('provider', o.payment_status)
from paylinks p
where p.organization_id = o.organization_id and p.order_id = o.id and p.status in ('captured', 'refunded')
  and o.payment_status in ('completed', 'paid', 'refunded');

-- Whether a gateway's report was read back, or signed in full. All that was recorded before was believed.
alter table gateway_transactions add column is_verified boolean not null default true;
-- An order has arrived that may be the one it pays, or the payment of a refund was matched: to be matched again.
alter table gateway_transactions add column match_due boolean not null default false;
create index gateway_transactions_unmatched on gateway_transactions (organization_id, created)
  where order_id is null and is_verified;
create index gateway_transactions_due on gateway_transactions (created) where match_due;
create index gateway_transactions_by_parent on gateway_transactions (organization_id, organization_app_id, parent_reference)
  where parent_reference is not null;
-- From the events that come next on: what is older was matched, or waits for a person.
insert into event_followers (name, position) select 'payments', last_position from event_positions;

-- What the request that makes a paylink asks for. Both are emptied with the answer, which the idempotency store keeps from then on.
alter table paylinks add column request_fingerprint text;
