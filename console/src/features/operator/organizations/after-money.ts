/** Whatever shows money of an organization, or that somebody moved it. */
export const SHOWS_MONEY = [
  'listFleetOrganizations',
  'readFleetMetrics',
  'listOrganizationLedger',
  'previewTenantCredit',
  'readAccountingOverview',
  'listRecentPayments',
  'listBalanceAdjustments',
  'listCommissionRates',
  'listOperatorAudit',
] as const;
