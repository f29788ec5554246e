import { Type } from 'typebox';
import { cappedListOf } from '../../../../platform/http/camel-case-pager.ts';
import type { PlanRow } from '../../billing/index.ts';

export const EXAMPLE_PLAN = 'standard';

export const PlanShape = Type.Object(
  {
    code: Type.String(),
    branch_fee_sar: Type.Number({ description: 'What a branch costs a month, without VAT' }),
    vat_percent: Type.Number(),
    organizations: Type.Integer({ description: 'How many organizations have this plan' }),
  },
  { title: 'Plan', examples: [{ code: EXAMPLE_PLAN, branch_fee_sar: 250, vat_percent: 15, organizations: 12 }] },
);
export const PlanList = cappedListOf(PlanShape, 'PlanList');
export const PlanParams = Type.Object({
  code: Type.String({ maxLength: 100, description: 'The code of the plan', examples: [EXAMPLE_PLAN] }),
});
export const PlanChangeBody = Type.Object(
  {
    branch_fee_sar: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'In whole halalas' })),
    vat_percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'At most two decimal places' })),
  },
  { title: 'PlanChange', examples: [{ branch_fee_sar: 250 }] },
);

export function planShape({ plan, branch_fee_sar, vat_percent }: PlanRow, organizations: ReadonlyMap<string, number>) {
  return {
    code: plan,
    branch_fee_sar: Number(branch_fee_sar),
    vat_percent: Number(vat_percent),
    organizations: organizations.get(plan) ?? 0,
  };
}
