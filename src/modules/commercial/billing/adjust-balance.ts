import type { Tx } from '../../../platform/database/index.ts';
import { conflict } from '../../../platform/http/problem.ts';
import { type Account, lockExistingAccount } from './account.ts';
import { type Money, moneyToNumber, toHalalas } from './money.ts';
import { ledgerRow } from './post-entries.ts';
import { type Direction, insertLedgerRows, type LedgerRow } from './sql/ledger.ts';

export type NewRefund = {
  organizationId: string;
  amountSar: Money;
  note: string;
  reference: string;
  createdBy: string;
  now: Date;
};

/** Money of the wallet that is paid back to the organization. */
export async function refund(
  tx: Tx,
  { organizationId, amountSar, note, reference, createdBy, now }: NewRefund,
): Promise<LedgerRow> {
  requireBalance(await lockExistingAccount(tx, organizationId), amountSar);
  const amount = toHalalas(amountSar);
  const entry = ledgerRow(
    { organizationId, createdBy, now },
    { entry_type: 'refund', direction: 'debit', amount, note, reference },
  );
  await insertLedgerRows(tx, [entry]);
  return entry;
}

export type NewAdjustment = {
  organizationId: string;
  direction: Direction;
  amountSar: Money;
  note: string;
  createdBy: string;
  now: Date;
};

/** Corrects a balance by hand, up or down. */
export async function adjust(
  tx: Tx,
  { organizationId, direction, amountSar, note, createdBy, now }: NewAdjustment,
): Promise<LedgerRow> {
  const account = await lockExistingAccount(tx, organizationId);
  if (direction === 'debit') requireBalance(account, amountSar);
  const entry = ledgerRow(
    { organizationId, createdBy, now },
    { entry_type: 'adjustment', direction, amount: toHalalas(amountSar), note },
  );
  await insertLedgerRows(tx, [entry]);
  return entry;
}

/** Checked under the lock, so it still holds when the entry is posted; a database constraint checks it as well. */
function requireBalance({ organizationId, balanceSar }: Account, amountSar: Money): void {
  if (toHalalas(amountSar) <= toHalalas(balanceSar)) return;
  throw conflict('The wallet does not hold that much', {
    organization_id: organizationId,
    balance_sar: moneyToNumber(balanceSar),
    amount_sar: moneyToNumber(amountSar),
  });
}
