import type { Tx } from '../../../platform/database/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type Money, type PaymentMethod, type PaymentRow, type Settlement, takePayment } from '../billing/index.ts';
import { accrueCommission } from '../partners/index.ts';
import { endSuspensionWhenPaid, resumeEntries } from './end-suspension.ts';

export type ReceivedPayment = {
  organizationId: string;
  amountSar: Money;
  method: PaymentMethod;
  reference: string;
};

/** Records a received payment in one transaction: ledger, oldest fees, commission, end of a suspension, audit. */
export async function receivePayment(
  tx: Tx,
  actor: Actor,
  { organizationId, amountSar, method, reference }: ReceivedPayment,
  now: Date,
): Promise<{ payment: PaymentRow; settlement: Settlement; isResumed: boolean }> {
  const newPayment = { organizationId, amountSar, method, reference, createdBy: actor.name, now };
  const { payment, settlement } = await takePayment(tx, newPayment);
  await accrueCommission(tx, { organizationId, paymentId: payment.id, totalSar: payment.total_sar, now });
  const isResumed = await endSuspensionWhenPaid(tx, organizationId, now);
  const entry = { action: 'record-payment', resource: 'Settings', resourceId: payment.id };
  await recordAudit(tx, organizationId, actor, [entry, ...resumeEntries(organizationId, isResumed)], now);
  return { payment, settlement, isResumed };
}
