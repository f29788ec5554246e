import type { Tx } from '../../../../platform/database/index.ts';
import { notFound } from '../../../../platform/http/problem.ts';
import { refuseBrokenHalalas, sarText } from '../../../../platform/http/sar-amount.ts';
import { type Actor, OPERATOR_SCOPE, recordAudit, updateEntries } from '../../../audit/index.ts';
import { lockPlan, type PlanRow, updatePlan } from '../../billing/index.ts';

export type PlanChange = { branch_fee_sar?: number; vat_percent?: number };

/** For months that are charged from now on: fees that were charged do not change. */
export async function changePlan(tx: Tx, code: string, change: PlanChange, actor: Actor, now: Date): Promise<PlanRow> {
  refuseBrokenHalalas(change);
  const before = await lockPlan(tx, code);
  if (before === undefined) throw planNotFound(code);
  const { branch_fee_sar: price, vat_percent: percent } = change;
  const after: PlanRow = {
    plan: before.plan,
    branch_fee_sar: price === undefined ? before.branch_fee_sar : sarText(price),
    vat_percent: percent === undefined ? before.vat_percent : sarText(percent),
  };
  const entries = updateEntries(
    'Settings',
    ['branch_fee_sar', 'vat_percent'],
    [{ id: before.plan, before: inNumbers(before), after: inNumbers(after) }],
  );
  if (entries.length === 0) return before;
  await updatePlan(tx, after);
  await recordAudit(tx, OPERATOR_SCOPE, actor, entries, now);
  return after;
}

const inNumbers = (plan: PlanRow) => ({
  branch_fee_sar: Number(plan.branch_fee_sar),
  vat_percent: Number(plan.vat_percent),
});

export const planNotFound = (code: string) => notFound('Plan not found', { code });
