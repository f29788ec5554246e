import type { Queryable, Tx } from '../../../../platform/database/index.ts';

export type PlanRow = { plan: string; branch_fee_sar: string; vat_percent: string };

export function readPlanRows(sql: Queryable): Promise<PlanRow[]> {
  return sql<PlanRow[]>`select plan, branch_fee_sar::text, vat_percent::text from billing_plans order by plan`;
}

/** A plan without a price costs what the standard plan does. */
export async function findPlanRow(sql: Queryable, plan: string): Promise<PlanRow | undefined> {
  const [row] = await sql<PlanRow[]>`
    select plan, branch_fee_sar::text, vat_percent::text from billing_plans
    where plan in (${plan}, 'standard') order by plan = ${plan} desc limit 1`;
  return row;
}

export async function lockPlanRow(tx: Tx, plan: string): Promise<PlanRow | undefined> {
  const [row] = await tx<PlanRow[]>`
    select plan, branch_fee_sar::text, vat_percent::text from billing_plans where plan = ${plan} for update`;
  return row;
}

export async function updatePlanRow(tx: Tx, { plan, branch_fee_sar, vat_percent }: PlanRow): Promise<void> {
  await tx`update billing_plans set branch_fee_sar = ${branch_fee_sar}, vat_percent = ${vat_percent} where plan = ${plan}`;
}
