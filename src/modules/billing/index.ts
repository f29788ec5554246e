export { listPaymentsOf } from './list-payments-of.ts';
export { type BillingSummary, createReadBilling, type ReadBilling } from './read-billing.ts';
export { appendToLedger, type BranchFee, insertBranchFee, type LedgerEntry } from './record-entries.ts';
