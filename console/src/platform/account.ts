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
  /** Set: sees this branch alone. */
  branch_id: string | null;
  grants: Grant[];
};

/** Who is signed in, and what that opens in each organization. */
export type Account = {
  user: {
    id: string;
    email: string;
    name: string;
    operator_type: 'Merchant' | 'Commercial';
    has_second_factor: boolean;
  };
  organizations: Organization[];
};
