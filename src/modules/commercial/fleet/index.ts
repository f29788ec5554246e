export { applyTenantCredit, type TenantCredit } from './apply-tenant-credit.ts';
export { type Billed, type BillingRun, billOrganization, runBilling, scheduleBilling } from './billing-run/index.ts';
export { type ListChargeableAssignments, listChargeableAssignments } from './chargeable-assignments.ts';
export { type CommercialOptions, commercialRoutes } from './commercial-routes.ts';
export { foldCounts } from './fold-counts.ts';
export { settlementShape } from './money-shapes.ts';
export { type ReceivedPayment, receivePayment } from './receive-payment.ts';
export { refundTenant, type TenantRefund } from './refund-tenant.ts';
export { type CommercialSettings, readCommercialSettings } from './settings.ts';
