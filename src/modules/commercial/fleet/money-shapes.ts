import {
  type FeeRow,
  type LedgerRow,
  moneyToNumber,
  type Named,
  type PaymentRow,
  type Settlement,
} from '../billing/index.ts';

/** Rows of the ledger as the API shows them. */

export function paymentShape(row: Named<PaymentRow>) {
  return {
    id: row.id,
    organization_id: row.organization_id,
    organization_name_en: row.organization_name_en,
    amount_sar: moneyToNumber(row.amount_sar),
    vat_sar: moneyToNumber(row.vat_sar),
    total_sar: moneyToNumber(row.total_sar),
    method: row.method,
    status: row.status,
    reference: row.reference,
    created_by: row.created_by,
    created: row.created.toISOString(),
  };
}

/** An adjustment has no VAT: its amount is the total. */
export function adjustmentShape(row: Named<LedgerRow>) {
  return {
    id: row.id,
    organization_id: row.organization_id,
    organization_name_en: row.organization_name_en,
    entry_type: row.entry_type,
    direction: row.direction,
    amount_sar: moneyToNumber(row.amount_sar),
    note: row.note,
    created_by: row.created_by,
    created: row.created.toISOString(),
  };
}

export function ledgerShape(row: LedgerRow) {
  return {
    id: row.id,
    entry_type: row.entry_type,
    direction: row.direction,
    amount_sar: moneyToNumber(row.amount_sar),
    vat_sar: moneyToNumber(row.vat_sar),
    total_sar: moneyToNumber(row.total_sar),
    reference: row.reference,
    note: row.note,
    branch_fee_id: row.branch_fee_id,
    payment_id: row.payment_id,
    created_by: row.created_by,
    created: row.created.toISOString(),
  };
}

export function feeShape(row: FeeRow) {
  return {
    id: row.id,
    branch_iv_id: row.branch_iv_id,
    kind: row.kind,
    service_code: row.service_code,
    period: row.period,
    amount_sar: moneyToNumber(row.amount_sar),
    vat_sar: moneyToNumber(row.vat_sar),
    total_sar: moneyToNumber(row.total_sar),
    paid_sar: moneyToNumber(row.paid_sar),
    outstanding_sar: moneyToNumber(row.outstanding_sar),
    status: row.status,
    due_date: row.due_date,
    created: row.created.toISOString(),
  };
}

export function recentFeeShape(row: Named<FeeRow>) {
  const { id, ...fee } = feeShape(row);
  return { id, organization_id: row.organization_id, organization_name_en: row.organization_name_en, ...fee };
}

export function settlementShape(settlement: Settlement) {
  return {
    outstanding_sar: moneyToNumber(settlement.outstandingSar),
    applications: settlement.applications.map((application) => ({
      branch_fee_id: application.branchFeeId,
      branch_iv_id: application.branchIvId,
      due_date: application.dueDate,
      outstanding_sar: moneyToNumber(application.outstandingSar),
      applied_sar: moneyToNumber(application.appliedSar),
    })),
    to_wallet_sar: moneyToNumber(settlement.toWalletSar),
    wallet_balance_after_sar: moneyToNumber(settlement.walletBalanceAfterSar),
  };
}

export function creditShape(organizationId: string, amountSar: number, settlement: Settlement) {
  return { organization_id: organizationId, amount_sar: amountSar, ...settlementShape(settlement) };
}
