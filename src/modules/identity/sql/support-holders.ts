import type { Sql } from '../../../platform/database/index.ts';
import type { SupportScope } from '../support/policy.ts';
import { type FoundHolder, type OrganizationColumns, toOrganization } from './holders.ts';

type SupportRow = OrganizationColumns & {
  id: string;
  grant_id: string;
  scope: SupportScope;
  opened_with: string;
  revoked: boolean;
  created: Date;
  expires_at: Date;
  user_id: string;
  email: string;
  name: string;
  has_second_factor: boolean;
};

/**
 * An operator inside an organization, by `organization id` and `session id` in one key. It ends with the session, with the grant, with the
 * token that opened it, and when the account is no longer an operator's.
 */
export async function findSupportHolders(
  sql: Sql,
  keys: string[],
  grants: Record<SupportScope, readonly string[]>,
): Promise<FoundHolder[]> {
  const pairs = keys.map((key) => key.split(' '));
  const rows = await sql<SupportRow[]>`
    select s.id, s.grant_id, g.scope, s.opened_with, s.created, g.expires_at,
           s.ended_at is not null or g.ended_at is not null or not u.is_active or u.operator_type <> 'Commercial'
             or not exists (
               select from login_sessions l where l.id = s.opened_with and l.revoked_at is null
               union all
               select from session_tokens t where t.id = s.opened_with and t.revoked_at is null) as revoked,
           u.id as user_id, u.email, u.name,
           exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_second_factor,
           o.id as organization_id, o.name_en, o.name_ar, o.is_active, o.suspended_at is not null as suspended, o.time_zone,
           o.require_totp
    from unnest(${pairs.map(([organizationId]) => organizationId ?? '')}::uuid[],
                ${pairs.map(([, id]) => id ?? '')}::uuid[]) as asked (organization_id, id)
    join support_sessions s on s.organization_id = asked.organization_id and s.id = asked.id
    join support_grants g on g.organization_id = s.organization_id and g.id = s.grant_id
    join organizations o on o.id = s.organization_id
    join users u on u.id = s.operator_id`;
  return rows.map((row) => ({
    key: `${row.organization_id} ${row.id}`,
    holder: {
      token: { type: 'support', id: row.id, revoked: row.revoked, issuedAt: row.created, expiresAt: row.expires_at },
      user: {
        id: row.user_id,
        email: row.email,
        operatorType: 'Commercial',
        hasSecondFactor: row.has_second_factor,
      },
      name: row.name || row.email,
      defaultOrganizationId: row.organization_id,
      memberships: [
        {
          organization: toOrganization(row),
          role: 'support',
          branchId: null,
          grantsAdded: grants[row.scope],
          grantsWithheld: [],
        },
      ],
      support: {
        grantId: row.grant_id,
        scope: row.scope,
        grantExpiresAt: row.expires_at,
        openedWith: row.opened_with,
      },
    },
  }));
}
