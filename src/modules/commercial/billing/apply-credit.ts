import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { lockExistingAccount, noSuchOrganization } from './account.ts';
import { type Halalas, type Money, toHalalas } from './money.ts';
import { ledgerRow, listOpenFees, postEntries, toOpenFee } from './post-entries.ts';
import { appliedIn, describeSettlement, type OpenFee, type Part, type Settlement, settleWith } from './settlement.ts';
import { readDebtRows } from './sql/fees.ts';

/** What `applyCredit` would do now, by the same computation. */
export async function previewCredit(sql: Queryable, organizationId: string, amountSar: Money): Promise<Settlement> {
  const rows = await readDebtRows(sql, organizationId);
  const [first] = rows;
  if (first === undefined) throw noSuchOrganization(organizationId);
  const openFees = rows.flatMap((row) => (row.id === null ? [] : [toOpenFee(row)]));
  return computeCredit(toHalalas(first.balance_sar), openFees, toHalalas(amountSar)).settlement;
}

export type NewCredit = { organizationId: string; amountSar: Money; note: string; createdBy: string; now: Date };

/** A credit from the operator: it pays the oldest fees, and the rest goes to the wallet. The earlier balance is not used. */
export async function applyCredit(
  tx: Tx,
  { organizationId, amountSar, note, createdBy, now }: NewCredit,
): Promise<Settlement> {
  const account = await lockExistingAccount(tx, organizationId);
  const openFees = await listOpenFees(tx, organizationId);
  const amount = toHalalas(amountSar);
  const { parts, settlement } = computeCredit(toHalalas(account.balanceSar), openFees, amount);
  const posting = { organizationId, createdBy, now };
  const credit = ledgerRow(posting, { entry_type: 'credit', direction: 'credit', amount, note });
  await postEntries(tx, posting, [credit], parts);
  return settlement;
}

function computeCredit(
  balance: Halalas,
  openFees: readonly OpenFee[],
  amount: Halalas,
): { parts: Part[]; settlement: Settlement } {
  const parts = settleWith(amount, openFees);
  const toWallet = amount - appliedIn(parts);
  return { parts, settlement: describeSettlement({ openFees, parts, toWallet, balanceAfter: balance + toWallet }) };
}
