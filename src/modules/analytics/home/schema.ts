import { type Static, Type } from 'typebox';
import { mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { RangeQuery } from '../range.ts';

const organizationId = '0193a1f0-7c00-7000-8000-000000000001';
const count = Type.Integer();
const text = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const numberOrNull = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description });

export const RangeOnly = Type.Object({ range: RangeQuery });

export const LowStock = Type.Object(
  {
    organization_id: Type.String(),
    skus: Type.Integer({ description: 'SKUs at or under their threshold' }),
    out_of_stock: Type.Integer({ description: 'Those of them with a stock of 0 or less' }),
    branches: Type.Array(
      Type.Object({
        branch_iv_id: Type.String(),
        name_en: Type.String(),
        name_ar: Type.String(),
        skus: count,
        out_of_stock: count,
      }),
      { description: 'Branches with such SKUs, most first' },
    ),
  },
  {
    title: 'LowStock',
    examples: [
      {
        organization_id: organizationId,
        skus: 7,
        out_of_stock: 2,
        branches: [{ branch_iv_id: 'RUH-OLAYA', name_en: 'Olaya', name_ar: 'العليا', skus: 7, out_of_stock: 2 }],
      },
    ],
  },
);

export const BranchFigures = Type.Object(
  {
    organization_id: Type.String(),
    range_days: count,
    currency: Type.String(),
    items: Type.Array(
      Type.Object({
        branch_iv_id: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'null: orders without a branch',
        }),
        name_en: text,
        name_ar: text,
        orders: count,
        revenue: Type.Number(),
        share: Type.Number({ description: 'Share of all revenue, from 0 to 1' }),
        cancelled: count,
      }),
      { description: 'The highest revenue first' },
    ),
  },
  {
    title: 'BranchFigures',
    examples: [
      {
        organization_id: organizationId,
        range_days: 30,
        currency: 'SAR',
        items: [
          {
            branch_iv_id: 'RUH-OLAYA',
            name_en: 'Olaya',
            name_ar: 'العليا',
            orders: 412,
            revenue: 31240.5,
            share: 1,
            cancelled: 21,
          },
        ],
      },
    ],
  },
);

const change = { orders: numberOrNull('In percent, to the tenth'), revenue: numberOrNull('In percent, to the tenth') };

export const LastYear = Type.Object(
  {
    organization_id: Type.String(),
    range_days: count,
    currency: Type.String(),
    from: Type.String({ description: '364 days before the first day of the range, so that weekdays match' }),
    to: Type.String({ description: '364 days before today' }),
    is_known: Type.Boolean({
      description: 'Whether the sales of the organization reach back to `from`. Otherwise all figures are 0',
    }),
    orders: count,
    revenue: Type.Number({ description: "Without cancelled and refunded orders, in the organization's currency" }),
    change: Type.Object(change, { description: 'Change of the range from these figures; null when they are 0' }),
    trends: Type.Array(Type.Object({ date: Type.String(), orders: count, revenue: Type.Number() }), {
      description: 'Every day from `from` to `to`; empty when not known',
    }),
  },
  {
    title: 'LastYear',
    examples: [
      {
        organization_id: organizationId,
        range_days: 7,
        currency: 'SAR',
        from: '2025-11-11',
        to: '2025-11-17',
        is_known: true,
        orders: 380,
        revenue: 29100,
        change: { orders: 8.4, revenue: 7.4 },
        trends: [{ date: '2025-11-11', orders: 54, revenue: 4120.5 }],
      },
    ],
  },
);

const MONTH = '^20[0-9]{2}-(0[1-9]|1[0-2])$';
const month = Type.String({ pattern: MONTH, description: 'As 2026-11', examples: ['2026-11'] });

export const GoalQuery = Type.Object({
  month: Type.Optional(
    Type.String({
      pattern: MONTH,
      description: "As 2026-11; the current month in the organization's time zone when absent",
      examples: ['2026-11'],
    }),
  ),
});

export const Goal = Type.Object(
  {
    organization_id: Type.String(),
    month: Type.String({ description: 'As 2026-11' }),
    currency: Type.String(),
    revenue: numberOrNull('The goal; null when none is set'),
    achieved: Type.Number({ description: 'Revenue of the month so far, without cancelled and refunded orders' }),
    projected: Type.Number({
      description:
        'Revenue of the whole month: what is achieved up to yesterday, and the rest of the days at the average of the last 28 full days',
    }),
    days: Type.Integer({ description: 'Days of the month' }),
    elapsed_days: Type.Integer({ description: 'Full days of the month before today' }),
  },
  {
    title: 'RevenueGoal',
    examples: [
      {
        organization_id: organizationId,
        month: '2026-11',
        currency: 'SAR',
        revenue: 250000,
        achieved: 131204.5,
        projected: 246820.4,
        days: 30,
        elapsed_days: 16,
      },
    ],
  },
);
export const GoalAnswer = mutationEnvelopeOf(Goal);

export const GoalBody = Type.Object(
  {
    month,
    revenue: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: 1,
      maximum: 1e12,
      description: "In the organization's currency; null removes the goal",
    }),
  },
  { title: 'RevenueGoalChange', examples: [{ month: '2026-11', revenue: 250000 }] },
);

export type GoalShape = Static<typeof Goal>;
export type GoalBodyShape = Static<typeof GoalBody>;
export type LastYearShape = Static<typeof LastYear>;
export type BranchFiguresShape = Static<typeof BranchFigures>;
export type LowStockShape = Static<typeof LowStock>;
