import { appendToLedger, insertBranchFee } from '../modules/billing/index.ts';
import { listBranchOutlines } from '../modules/branches/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { DemoLogins } from './logins.ts';

const FEE_SAR = 250;
const VAT_SAR = 37.5;
const MONTHS_PAID = 3;
const OPENING_TOPUP_SAR = 10_000;

/** A topped-up wallet and paid fees for the tenants, three months of unpaid ones for the suspended one. */
export async function seedBilling(tx: Tx, logins: DemoLogins, now: Date): Promise<void> {
  for (const { id } of logins.organizations) {
    await topUp(tx, id, OPENING_TOPUP_SAR, monthsBack(now, MONTHS_PAID));
    const branches = await listBranchOutlines(tx, id);
    for (let back = MONTHS_PAID; back >= 0; back -= 1) {
      for (const { iv_id } of branches) await chargeFee(tx, id, iv_id, monthsBack(now, back), back > 0);
    }
  }
  for (let back = 3; back >= 1; back -= 1) {
    const month = monthsBack(now, back);
    await insertBranchFee(tx, {
      ...feeOf(logins.suspended.id, 'ABH-01', month),
      paidSar: 0,
      status: 'overdue',
      now: month,
    });
  }
}

async function topUp(tx: Tx, organizationId: string, amountSar: number, now: Date): Promise<void> {
  await appendToLedger(tx, {
    organizationId,
    entryType: 'topup',
    direction: 'credit',
    amountSar,
    vatSar: 0,
    reference: 'bank transfer',
    note: 'Opening balance',
    createdBy: 'operator@dukkan.example',
    now,
  });
}

async function chargeFee(tx: Tx, organizationId: string, ivId: string, month: Date, paid: boolean): Promise<void> {
  const fee = feeOf(organizationId, ivId, month);
  const totalSar = FEE_SAR + VAT_SAR;
  await insertBranchFee(tx, { ...fee, paidSar: paid ? totalSar : 0, status: paid ? 'paid' : 'pending', now: month });
  if (!paid) return;
  await appendToLedger(tx, {
    organizationId,
    entryType: 'branch_fee',
    direction: 'debit',
    amountSar: totalSar,
    vatSar: VAT_SAR,
    reference: `${ivId} ${fee.period}`,
    note: '',
    createdBy: 'monthly run',
    now: month,
  });
}

function feeOf(organizationId: string, branchIvId: string, month: Date) {
  const due = new Date(month.getTime() + 14 * 86_400_000);
  return {
    organizationId,
    branchIvId,
    period: month.toISOString().slice(0, 10),
    amountSar: FEE_SAR,
    vatSar: VAT_SAR,
    dueDate: due.toISOString().slice(0, 10),
  };
}

function monthsBack(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}
