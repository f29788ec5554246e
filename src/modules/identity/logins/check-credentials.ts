import { Problem } from '../../../platform/http/problem.ts';
import { type ReadBilling, subscriptionOf } from '../../commercial/billing/index.ts';
import type { Principal } from '../principal.ts';

/** Reports the state of the caller's token. Works under suspension and for a revoked token, which is its purpose. */
export async function checkCredentials(readBilling: ReadBilling, principal: Principal) {
  const { membership, token, user } = principal;
  if (membership === undefined || user === undefined)
    throw new Error('the gate admits only users with an organization');
  const { organization } = membership;
  const billing = await readBilling(organization.id).catch((error: unknown) => {
    throw new Problem(500, 'Billing lookup failed', {}).because(error);
  });
  return {
    tenant: {
      id: organization.id,
      name_en: organization.nameEn,
      name_ar: organization.nameAr,
      is_active: organization.isActive,
    },
    user: { id: user.id, email: user.email, role: membership.role, operator_type: user.operatorType },
    subscription: {
      ...subscriptionOf(billing, organization.suspended),
      outstanding_sar: billing.outstandingSar,
      overdue_sar: billing.overdueSar,
    },
    wallet: { balance_sar: billing.balanceSar, currency: 'SAR' },
    token: {
      type: token.type,
      revoked: token.revoked,
      issued_at: token.issuedAt.toISOString(),
      expires_at: token.expiresAt?.toISOString() ?? null,
    },
    service_operational: !token.revoked && !organization.suspended,
  };
}
