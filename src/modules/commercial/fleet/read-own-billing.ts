import type { Sql } from '../../../platform/database/index.ts';
import { addMonths, findChargedThrough, type ReadBilling, readPlans, subscriptionOf } from '../billing/index.ts';
import { getFleetOrganization } from './fleet-organization.ts';

export async function readOwnBilling(
  sql: Sql,
  readBilling: ReadBilling,
  organizationId: string,
  payments: 'off' | 'sandbox',
) {
  const [organization, billing, chargedThrough, plans] = await Promise.all([
    getFleetOrganization(sql, organizationId),
    readBilling(organizationId),
    findChargedThrough(sql, organizationId),
    readPlans(sql),
  ]);
  if (chargedThrough === undefined) throw new Error(`organization ${organizationId} has no billing account`);
  // As it is charged: a plan without a price costs what the standard plan does.
  const priced = (name: string) => plans.find(({ plan }) => plan === name);
  const price = priced(organization.plan) ?? priced('standard');
  const { suspended_at: since, suspended_by: by, suspension_reason: reason } = organization;
  return {
    organization_id: organizationId,
    ...subscriptionOf(billing, since !== null),
    suspension:
      since === null ? null : { since: since.toISOString(), by, reason, what_to_do: adviceFor(by, billing.overdueSar) },
    branch_fee_sar: Number(price?.branch_fee_sar ?? 0),
    vat_percent: Number(price?.vat_percent ?? 0),
    fees: { outstanding_sar: billing.outstandingSar, overdue_sar: billing.overdueSar },
    balance_sar: billing.balanceSar,
    currency: 'SAR',
    online_payments: payments,
    next_charge_date: addMonths(chargedThrough, 1),
  };
}

function adviceFor(by: string, overdueSar: number): string {
  if (by === 'billing') return `Pay the overdue fees (${overdueSar.toFixed(2)} SAR); service resumes with the payment.`;
  return 'Get in touch with the operator of this service, who ends the suspension by hand.';
}
