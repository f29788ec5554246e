export const STATES = ['active', 'suspended', 'inactive'] as const;
export const MONEY_TABS = ['payments', 'adjustments', 'plans', 'services', 'assignments'] as const;
export const PARTNER_TABS = ['rates', 'people', 'payouts'] as const;
export const SYSTEM_TABS = ['health', 'audit'] as const;

/** The parameters of all operator pages; each reads its own. */
export type OperatorSearch = {
  search?: string;
  status?: (typeof STATES)[number];
  tab?: string;
  page?: number;
  organization?: string;
  service?: string;
  partner?: string;
  action?: string;
  from?: string;
  to?: string;
  /** The status of leads, and who works on them. */
  stage?: string;
  assignee?: string;
  /** The email of a lead to open an organization for. */
  invite?: string;
};
