import type { Tx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { lockExistingAccount } from './account.ts';
import { fromHalalas, type Money, toHalalas } from './money.ts';
import { ledgerRow, listOpenFees, postEntries } from './post-entries.ts';
import {
  afterPart,
  appliedIn,
  describeSettlement,
  type OpenFee,
  type Part,
  restOf,
  type Settlement,
  settleWhole,
  settleWith,
} from './settlement.ts';
import { insertPaymentRow, type PaymentMethod, type PaymentRow } from './sql/payments.ts';

export type NewPayment = {
  organizationId: string;
  amountSar: Money;
  method: PaymentMethod;
  reference: string;
  createdBy: string;
  now: Date;
};

/**
 * Money that was received: it tops the wallet up and pays the oldest fees, the last one in part. When the wallet already held
 * the rest of that fee, it is paid too, so that an organization with enough money does not stay in debt until the next run.
 */
export async function takePayment(
  tx: Tx,
  { organizationId, amountSar, method, reference, createdBy, now }: NewPayment,
): Promise<{ payment: PaymentRow; settlement: Settlement }> {
  const account = await lockExistingAccount(tx, organizationId);
  const openFees = await listOpenFees(tx, organizationId);

  const amount = toHalalas(amountSar);
  const fromPayment = settleWith(amount, openFees);
  const toWallet = amount - appliedIn(fromPayment);
  const fromWallet = settleWhole(toHalalas(account.balanceSar) + toWallet, stillOpen(openFees, fromPayment));
  const parts = [...fromPayment, ...fromWallet];

  const payment: PaymentRow = {
    organization_id: organizationId,
    id: newId(),
    amount_sar: fromHalalas(amount),
    vat_sar: fromHalalas(0n),
    total_sar: fromHalalas(amount),
    method,
    status: 'succeeded',
    reference,
    created_by: createdBy,
    created: now,
  };
  const posting = { organizationId, createdBy, now };
  const topUp = ledgerRow(posting, {
    entry_type: 'topup',
    direction: 'credit',
    amount,
    reference,
    paymentId: payment.id,
  });
  await insertPaymentRow(tx, payment);
  await postEntries(tx, posting, [topUp], parts);

  const balanceAfter = toHalalas(account.balanceSar) + amount - appliedIn(parts);
  const settlement = describeSettlement({ openFees, parts: asOneEach(parts), toWallet, balanceAfter });
  return { payment, settlement };
}

function stillOpen(openFees: readonly OpenFee[], parts: readonly Part[]): OpenFee[] {
  const touched = new Map(parts.map((part) => [part.fee.id, afterPart(part)]));
  return openFees.map((fee) => touched.get(fee.id) ?? fee).filter((fee) => restOf(fee) > 0n);
}

/** Merges the parts of a fee that was paid from both. */
function asOneEach(parts: readonly Part[]): Part[] {
  const byFee = new Map<string, Part>();
  for (const part of parts) {
    const before = byFee.get(part.fee.id);
    byFee.set(
      part.fee.id,
      before === undefined ? part : { ...before, applied: before.applied + part.applied, vat: before.vat + part.vat },
    );
  }
  return [...byFee.values()];
}
