import type { Tx } from '../../../platform/database/index.ts';
import { conflict, notFound } from '../../../platform/http/problem.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { compare, decimal, subtract, toNumber } from '../../../platform/money.ts';
import { type Actor, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import { getLockedPartner } from './manage-partners.ts';
import { addToPaid, sumCommission } from './sql/partners.ts';
import { insertPayout, isPayee, type PayoutRow } from './sql/payouts.ts';

export type Payout = Pick<
  PayoutRow,
  'partner_id' | 'partner_user_id' | 'amount_sar' | 'period' | 'bank_reference' | 'paid_at' | 'proof_key'
>;

/** Never more than is due: an advance would not be covered by collected payments. */
export async function recordPayout(tx: Tx, payout: Payout, actor: Actor, now: Date): Promise<PayoutRow> {
  const partner = await getLockedPartner(tx, payout.partner_id);
  const { partner_user_id } = payout;
  if (!isId(partner_user_id) || !(await isPayee(tx, partner.id, partner_user_id))) throw payeeNotFound(partner_user_id);
  const due = subtract(decimal(await sumCommission(tx, partner.id)), decimal(partner.paid_sar));
  if (compare(decimal(payout.amount_sar), due) > 0) throw moreThanDue(partner.id, toNumber(due));
  const row: PayoutRow = {
    ...payout,
    id: newId(),
    partner_id: partner.id,
    partner_user_id: partner_user_id.toLowerCase(),
    created_by: actor.name,
    created: now,
  };
  await insertPayout(tx, row);
  await addToPaid(tx, partner.id, row.amount_sar);
  const entry = { action: 'create', resource: 'Payments', resourceId: row.id };
  await recordAudit(tx, OPERATOR_SCOPE, actor, [entry], now);
  return row;
}

export function payeeNotFound(id: string) {
  return notFound('Payee not found', { partner_user_id: id });
}

export function moreThanDue(partnerId: string, dueSar: number) {
  return conflict('More than is due', { partner_id: partnerId, due_sar: dueSar });
}

export const proofNotFound = (id: string) => notFound('Proof not found', { id });
