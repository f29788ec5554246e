export { accrueCommission } from './accrue-commission.ts';
export { findIban } from './iban.ts';
export { listRates, type RatedPartner, totalsOf } from './list-rates.ts';
export { attachTenant, changeRate, createPartner } from './manage-partners.ts';
export { recordPayout } from './record-payout.ts';
export { reverseCommission } from './reverse-commission.ts';
export { partnerRoutes } from './routes.ts';
export { savePayee } from './save-payee.ts';
export { sumCommission } from './sql/partners.ts';
