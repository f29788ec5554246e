-- An operation that is left with an unknown outcome may be taken over by a repeat of the request (from lease_until) before the
-- recovery loop looks at it (from recover_at, where that is later).
alter table external_operations add column recover_at timestamptz;
drop index external_operations_expired;
create index external_operations_due on external_operations (kind, greatest(lease_until, recover_at));

-- What is being done to payment links at their providers becomes an operation like any other. The columns errand* keep what they hold
-- until a later migration drops them: a process of the earlier release that still runs goes on by them, and its outcome is found by asking
-- the provider under the same reference.
insert into external_operations (organization_id, kind, subject_id, id, input, attempts, lease_until, created)
select organization_id, 'paylink', id, coalesce(errand_id, id),
       case errand
         when 'capture' then jsonb_build_object(
           'action', errand, 'amount', coalesce(errand_amount, 0), 'capturedBefore', coalesce(errand_captured_before, 0),
           'requestKey', errand_key, 'sentAt', coalesce(errand_until, updated))
         else jsonb_build_object('action', errand)
       end,
       1, coalesce(errand_until, updated), coalesce(errand_until, updated)
from paylinks where errand is not null
on conflict do nothing;
