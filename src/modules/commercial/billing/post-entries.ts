import type { Tx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { fromHalalas, type Halalas, toHalalas } from './money.ts';
import { afterPart, type OpenFee, type Part } from './settlement.ts';
import { listOpenFeeRows, type OpenFeeRow, payFeeRows } from './sql/fees.ts';
import { insertLedgerRows, type LedgerRow } from './sql/ledger.ts';

/** The organization whose money moves, the actor, and the time. */
export type Posting = { organizationId: string; createdBy: string; now: Date };

type Movement = Pick<LedgerRow, 'entry_type' | 'direction'> & {
  amount: Halalas;
  vat?: Halalas;
  reference?: string;
  note?: string;
  branchFeeId?: string;
  paymentId?: string;
};

export function ledgerRow({ organizationId, createdBy, now }: Posting, movement: Movement): LedgerRow {
  const { amount, vat = 0n } = movement;
  return {
    organization_id: organizationId,
    id: newId(),
    entry_type: movement.entry_type,
    direction: movement.direction,
    amount_sar: fromHalalas(amount),
    vat_sar: fromHalalas(vat),
    total_sar: fromHalalas(amount + vat),
    reference: movement.reference ?? '',
    note: movement.note ?? '',
    created_by: createdBy,
    branch_fee_id: movement.branchFeeId ?? null,
    payment_id: movement.paymentId ?? null,
    created: now,
  };
}

/** The ledger entry that pays a fee from the wallet. */
export function feeDebit(posting: Posting, { fee, applied, vat }: Part): LedgerRow {
  return ledgerRow(posting, {
    entry_type: fee.kind === 'branch' ? 'branch_fee' : 'service_fee',
    direction: 'debit',
    amount: applied - vat,
    vat,
    reference: `${fee.kind === 'branch' ? fee.branchIvId : fee.serviceCode} ${fee.period.slice(0, 7)}`,
    branchFeeId: fee.id,
  });
}

/** Posts the money received, the entries it pays, and the changed fees, in two statements. */
export async function postEntries(
  tx: Tx,
  posting: Posting,
  incoming: readonly LedgerRow[],
  parts: readonly Part[],
): Promise<void> {
  await insertLedgerRows(tx, [...incoming, ...parts.map((part) => feeDebit(posting, part))]);
  await payFeeRows(tx, posting.organizationId, paymentsOf(parts), posting.now);
}

/** A fee may have had several parts; the last one counts. */
function paymentsOf(parts: readonly Part[]) {
  const fees = new Map(parts.map((part) => [part.fee.id, afterPart(part)]));
  return [...fees.values()].map(({ id, paid, total }) => ({
    id,
    paidSar: fromHalalas(paid),
    isPaid: paid === total,
  }));
}

export async function listOpenFees(tx: Tx, organizationId: string): Promise<OpenFee[]> {
  return (await listOpenFeeRows(tx, organizationId)).map(toOpenFee);
}

export function toOpenFee(row: OpenFeeRow): OpenFee {
  return {
    id: row.id,
    kind: row.kind,
    branchIvId: row.branch_iv_id,
    serviceCode: row.service_code,
    period: row.period,
    dueDate: row.due_date,
    vat: toHalalas(row.vat_sar),
    total: toHalalas(row.total_sar),
    paid: toHalalas(row.paid_sar),
  };
}
