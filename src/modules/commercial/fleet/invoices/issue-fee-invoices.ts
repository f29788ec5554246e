import type { Tx } from '../../../../platform/database/index.ts';
import { findBranchLabels } from '../../../branches/index.ts';
import { getOrganization } from '../../../identity/index.ts';
import { qrOf } from '../../../till/index.ts';
import { fromHalalas, listFeesOfOtherMonths, type MonthFee, sumHalalas, toHalalas } from '../../billing/index.ts';
import { type FeeInvoiceRow, type InvoiceLine, insertFeeInvoice, listInvoicedPeriods, takePositions } from './sql.ts';

/** The operator on its invoices. */
export type Seller = { name: string; nameAr: string; vatNumber: string; address: string };

/**
 * Issues an invoice for every month with fees that has none yet: of this run, and of months charged before the operator had
 * set its VAT number. In the transaction of the run, under the account's lock. Returns how many.
 */
export async function issueFeeInvoices(tx: Tx, organizationId: string, seller: Seller, now: Date): Promise<number> {
  const fees = await listFeesOfOtherMonths(tx, organizationId, await listInvoicedPeriods(tx, organizationId));
  const months = Map.groupBy(fees, ({ period }) => period);
  if (months.size === 0) return 0;
  const buyer = await getOrganization(tx, organizationId);
  const branchNames = await readBranchNames(tx, organizationId, fees);
  // After all reads: other organizations wait for the counter until this transaction ends.
  let position = await takePositions(tx, months.size);
  for (const [period, ofMonth] of months) {
    const lines = ofMonth.map((fee) => lineOf(fee, branchNames));
    const amount = sumHalalas(lines.map((line) => toHalalas(line.amount_sar)));
    const vat = sumHalalas(lines.map((line) => toHalalas(line.vat_sar)));
    const invoice: FeeInvoiceRow = {
      organization_id: organizationId,
      position,
      number: numberOf(position),
      period,
      due_date: ofMonth[0]?.due_date ?? period,
      issued_at: now,
      seller_name: seller.name,
      seller_name_ar: seller.nameAr,
      seller_vat_number: seller.vatNumber,
      seller_address: seller.address,
      buyer_name_en: buyer.name_en,
      buyer_name_ar: buyer.name_ar,
      buyer_vat_number: buyer.vat_number,
      buyer_address: buyer.address,
      lines,
      amount_sar: fromHalalas(amount),
      vat_sar: fromHalalas(vat),
      total_sar: fromHalalas(amount + vat),
      qr: qrOf({
        sellerName: seller.nameAr || seller.name,
        vatNumber: seller.vatNumber,
        issuedAt: now.toISOString(),
        total: fromHalalas(amount + vat),
        vat: fromHalalas(vat),
      }),
    };
    await insertFeeInvoice(tx, invoice);
    position += 1;
  }
  return months.size;
}

/** `INV-000042`; longer from the millionth on. */
export function numberOf(position: number): string {
  return `INV-${String(position).padStart(6, '0')}`;
}

type Names = ReadonlyMap<string, { name_en: string; name_ar: string }>;

async function readBranchNames(tx: Tx, organizationId: string, fees: readonly MonthFee[]): Promise<Names> {
  const ivIds = new Set(fees.filter(({ kind }) => kind === 'branch').map(({ branch_iv_id }) => branch_iv_id));
  const labels = await findBranchLabels(
    tx,
    [...ivIds].map((name) => ({ organizationId, name })),
  );
  return new Map(labels.map((label) => [label.named, label]));
}

function lineOf({ kind, branch_iv_id, service_code, amount_sar, vat_sar }: MonthFee, branches: Names): InvoiceLine {
  const code = kind === 'branch' ? branch_iv_id : service_code;
  const name = kind === 'branch' ? branches.get(code) : undefined;
  return { kind, code, name_en: name?.name_en ?? '', name_ar: name?.name_ar ?? '', amount_sar, vat_sar };
}
