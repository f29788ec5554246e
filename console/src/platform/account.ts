export type Resource =
  | 'Branches'
  | 'Products'
  | 'Orders'
  | 'Payments'
  | 'Webhooks'
  | 'Apps'
  | 'Analytics'
  | 'Reports'
  | 'Settings';
export type Action = 'read' | 'create' | 'update' | 'delete' | 'export' | 'import';
export type Grant = `${Action}:${Resource}`;

export type Organization = {
  id: string;
  name_en: string;
  name_ar: string;
  is_active: boolean;
  suspended: boolean;
  time_zone: string;
  require_totp: boolean;
  role: string;
  /** Set for accounts of one branch. */
  branch_id: string | null;
  grants: Grant[];
};

/** The signed-in user, with the grants in each organization. */
export type Account = {
  user: {
    id: string;
    email: string;
    name: string;
    operator_type: 'Merchant' | 'Commercial';
    has_second_factor: boolean;
  };
  organizations: Organization[];
  /** Set while an operator is inside an organization for support. */
  support: { grant_id: string; scope: 'read' | 'full'; grant_expires_at: string } | null;
};

/**
 * Equal as long as the same user has the same rights in the same organization. With the rights, because what an account could read
 * before it was confined to a branch is not shown to it afterwards.
 */
export function identityOf({ user }: Account, organization: Organization | undefined): string {
  const { id, role, branch_id, grants } = organization ?? {};
  return JSON.stringify([user.id, user.operator_type, id, role, branch_id, grants?.toSorted()]);
}
