import { grantsOf } from '../permissions.ts';
import type { Principal } from '../principal.ts';

/** All of it is in the node's memory: nothing is read. */
export function describeAccount({ user, name, memberships, support }: Principal) {
  if (user === undefined) throw new Error('the gate admits only users');
  return {
    user: {
      id: user.id,
      email: user.email,
      name,
      operator_type: user.operatorType,
      has_second_factor: user.hasSecondFactor,
    },
    organizations: memberships.map((membership) => ({
      id: membership.organization.id,
      name_en: membership.organization.nameEn,
      name_ar: membership.organization.nameAr,
      is_active: membership.organization.isActive,
      suspended: membership.organization.suspended,
      time_zone: membership.organization.timeZone,
      require_totp: membership.organization.requireTotp,
      role: membership.role,
      branch_id: membership.branchId,
      grants: grantsOf(membership),
    })),
    support:
      support === undefined
        ? null
        : {
            grant_id: support.grantId,
            scope: support.scope,
            grant_expires_at: support.grantExpiresAt.toISOString(),
          },
  };
}
