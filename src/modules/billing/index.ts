export { type BillingSummary, readBillingSummary } from './read-billing-summary.ts';
export { appendToLedger, type BranchFee, insertBranchFee, type LedgerEntry } from './record-entries.ts';
