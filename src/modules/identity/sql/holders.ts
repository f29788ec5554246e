import type { Sql } from '../../../platform/database/index.ts';
import type { Standing } from '../permissions.ts';
import type { Membership, OperatorType, Organization, TokenHolder, TokenType } from '../principal.ts';

export type OrganizationColumns = {
  organization_id: string;
  name_en: string;
  name_ar: string;
  is_active: boolean;
  suspended: boolean;
  time_zone: string;
  require_totp: boolean;
};

type MembershipRow = OrganizationColumns & {
  role: Standing['role'];
  branch_id: string | null;
  grants_added: string[];
  grants_withheld: string[];
};

type HolderRow = {
  key: string;
  id: string;
  revoked: boolean;
  created: Date;
  expires_at: Date | null;
  organization_id: string | null;
  user_id: string;
  email: string;
  name: string;
  operator_type: OperatorType;
  has_second_factor: boolean;
  memberships: MembershipRow[];
};

// One statement a token: the token, its user, and every organization the user may act for.
const membershipsOfUser = (sql: Sql) => sql`
  coalesce((
    select json_agg(json_build_object(
      'organization_id', o.id, 'name_en', o.name_en, 'name_ar', o.name_ar, 'is_active', o.is_active,
      'suspended', o.suspended_at is not null, 'time_zone', o.time_zone, 'require_totp', o.require_totp,
      'role', m.role, 'branch_id', m.branch_id, 'grants_added', m.grants_added,
      'grants_withheld', m.grants_withheld) order by m.created, o.id)
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = u.id), '[]'::json)`;

const userColumns = (sql: Sql) => sql`
  u.id as user_id, u.email, u.name, u.operator_type,
  exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_second_factor,
  ${membershipsOfUser(sql)} as memberships`;

/** What a token was looked up by (the id of its login, or its hash in hex), and who it stands for. */
export type FoundHolder = { key: string; holder: TokenHolder };

export async function findLoginHolders(sql: Sql, sessionIds: string[]): Promise<FoundHolder[]> {
  const rows = await sql<HolderRow[]>`
    select s.id as key, s.id, s.revoked_at is not null or not u.is_active as revoked, s.created, s.expires_at,
           s.organization_id, ${userColumns(sql)}
    from login_sessions s join users u on u.id = s.user_id
    where s.id = any(${sessionIds}::uuid[])`;
  return rows.map((row) => ({ key: row.key, holder: toHolder('jwt', row) }));
}

export async function findSessionTokenHolders(sql: Sql, hashes: string[]): Promise<FoundHolder[]> {
  const rows = await sql<HolderRow[]>`
    select encode(t.token_hash, 'hex') as key, t.id, t.revoked_at is not null or not u.is_active as revoked, t.created,
           t.expires_at, t.organization_id, ${userColumns(sql)}
    from session_tokens t join users u on u.id = t.user_id
    where t.token_hash = any(${decoded(sql, hashes)})`;
  return rows.map((row) => ({ key: row.key, holder: toHolder('session_token', row) }));
}

type KeyRow = MembershipRow & {
  key: string;
  id: string;
  name: string;
  revoked: boolean;
  created: Date;
  expires_at: Date | null;
};

/** An API key acts for its organization with the rights that its grants name, and has no user. */
export async function findApiKeyHolders(sql: Sql, hashes: string[]): Promise<FoundHolder[]> {
  const rows = await sql<KeyRow[]>`
    select encode(k.key_hash, 'hex') as key, k.id, k.name, k.revoked_at is not null as revoked, k.created, k.expires_at,
           o.id as organization_id, o.name_en, o.name_ar, o.is_active, o.suspended_at is not null as suspended,
           o.time_zone, o.require_totp, 'api_key' as role, k.branch_id, k.grants as grants_added,
           '{}'::text[] as grants_withheld
    from api_keys k join organizations o on o.id = k.organization_id
    where k.key_hash = any(${decoded(sql, hashes)})`;
  return rows.map((row) => ({
    key: row.key,
    holder: {
      token: { type: 'api_key', id: row.id, revoked: row.revoked, issuedAt: row.created, expiresAt: row.expires_at },
      user: undefined,
      name: row.name || 'api key',
      defaultOrganizationId: row.organization_id,
      memberships: [toMembership(row)],
    },
  }));
}

const decoded = (sql: Sql, hashes: string[]) =>
  sql`array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash)`;

function toHolder(type: TokenType, row: HolderRow): TokenHolder {
  return {
    token: { type, id: row.id, revoked: row.revoked, issuedAt: row.created, expiresAt: row.expires_at },
    user: {
      id: row.user_id,
      email: row.email,
      operatorType: row.operator_type,
      hasSecondFactor: row.has_second_factor,
    },
    name: row.name || row.email,
    defaultOrganizationId: row.organization_id,
    memberships: row.memberships.map(toMembership),
  };
}

function toMembership(row: MembershipRow): Membership {
  return {
    organization: toOrganization(row),
    role: row.role,
    branchId: row.branch_id,
    grantsAdded: row.grants_added,
    grantsWithheld: row.grants_withheld,
  };
}

export function toOrganization(row: OrganizationColumns): Organization {
  return {
    id: row.organization_id,
    nameEn: row.name_en,
    nameAr: row.name_ar,
    isActive: row.is_active,
    suspended: row.suspended || !row.is_active,
    timeZone: row.time_zone,
    requireTotp: row.require_totp,
  };
}
