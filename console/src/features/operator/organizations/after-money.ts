/** The operations whose answers change when money of an organization moves. */
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
