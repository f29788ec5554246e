import type { Tx } from '../../../../platform/database/index.ts';

/** `refundId` is the ledger entry; the amount is decimal text. */
export type Refunded = { organizationId: string; refundId: string; amountSar: string; now: Date };

/**
 * The commission left on a payment is the rate times what is left of it, rounded once, and a reversal is the difference to
 * what it was before: so the parts of any split of a refund add up to the accrual exactly.
 */
export async function insertReversals(tx: Tx, { organizationId, refundId, amountSar, now }: Refunded): Promise<void> {
  await tx`
    with open_accruals as (
      select a.payment_id, a.partner_id, a.rate_percent, a.created, a.collected_sar - coalesce(r.refunded_sar, 0) as left_sar,
             a.commission_sar - coalesce(r.commission_sar, 0) as commission_sar
      from commission_accruals a
      left join lateral (
        select sum(v.refunded_sar) as refunded_sar, sum(v.commission_sar) as commission_sar from commission_reversals v
        where v.organization_id = a.organization_id and v.payment_id = a.payment_id) r on true
      where a.organization_id = ${organizationId}
    ), ranked as (
      select *, coalesce(sum(left_sar) over (order by created desc, payment_id desc
                                            rows between unbounded preceding and 1 preceding), 0) as before_sar
      from open_accruals where left_sar > 0
    ), made as (
      insert into commission_reversals (organization_id, refund_id, payment_id, partner_id, refunded_sar, commission_sar,
                                        created)
      select ${organizationId}::uuid, ${refundId}::uuid, payment_id, partner_id, part_sar,
             commission_sar - round((left_sar - part_sar) * rate_percent / 100, 2), ${now}::timestamptz
      from (select *, least(left_sar, ${amountSar}::numeric - before_sar) as part_sar from ranked) p where part_sar > 0
      returning partner_id, refunded_sar, commission_sar)
    update partner_tenants t
    set collected_sar = t.collected_sar - m.refunded_sar, commission_sar = t.commission_sar - m.commission_sar,
        reversed_sar = t.reversed_sar + m.commission_sar
    from (select partner_id, sum(refunded_sar) as refunded_sar, sum(commission_sar) as commission_sar from made
          group by partner_id) m
    where t.organization_id = ${organizationId} and t.partner_id = m.partner_id`;
}
