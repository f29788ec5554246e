export { type BillingSummary, readBillingSummary } from './read-billing-summary.ts';
