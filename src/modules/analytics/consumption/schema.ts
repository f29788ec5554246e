import { Type } from 'typebox';
import { forecastFrame } from '../sensy/schema.ts';

export const TRENDS = ['rising', 'steady', 'falling', 'new', 'none'] as const;
/** A chart shows no more of one SKU; longer ranges are in the sums. */
export const MAX_DAILY_DAYS = 90;

const example = {
  sku_id: 'PAIN-0003_RUH-OLAYA',
  product_name_en: 'Panadol Advance 24 tablets',
  product_name_ar: 'بنادول أدفانس 24 قرص',
  branch_iv_id: 'RUH-OLAYA',
  used_qty: 176,
  daily_use: 5.867,
  daily: [
    { date: '2026-11-14', qty: 5 },
    { date: '2026-11-15', qty: 7 },
  ],
  trend: { direction: 'rising' as const, change: 0.14, previous_qty: 154 },
  projected_use: 11.9,
  projected_daily_use: 5.95,
  current_qty: 9,
  days_of_cover: 1,
};

export const Consumption = Type.Object(
  {
    sku_id: Type.String({ description: "The SKU's iv_id" }),
    product_name_en: Type.String(),
    product_name_ar: Type.String(),
    branch_iv_id: Type.String(),
    used_qty: Type.Number({ description: 'Sold in the range' }),
    daily_use: Type.Number({ description: 'Per day of the range' }),
    daily: Type.Array(Type.Object({ date: Type.String(), qty: Type.Number() }), {
      description: `Every day of the range, its last ${MAX_DAILY_DAYS} at most`,
    }),
    trend: Type.Object({
      direction: Type.Unsafe<(typeof TRENDS)[number]>({
        type: 'string',
        enum: [...TRENDS],
        description:
          'Compared with the same number of days before. Steady: within 10 %. New: no use before. None: no use at all',
      }),
      change: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'As a share of the previous use; null when that is 0',
      }),
      previous_qty: Type.Number({ description: 'Sold in the same number of days before the range' }),
    }),
    projected_use: Type.Number({ description: 'Expected over the horizon' }),
    projected_daily_use: Type.Number(),
    current_qty: Type.Number({ description: 'The stock that the figures are based on' }),
    days_of_cover: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Whole days until a stockout, median; null: more than a year, or no demand',
    }),
  },
  { title: 'Consumption', examples: [example] },
);

export const ConsumptionAnswer = Type.Object(
  {
    ...forecastFrame.head,
    items: Type.Array(Consumption),
    totals: Type.Object(
      {
        skus: Type.Integer({ description: 'SKUs with a forecast' }),
        used_qty: Type.Number(),
        daily_use: Type.Number(),
      },
      { description: 'Of all pages' },
    ),
    ...forecastFrame.pages,
  },
  {
    title: 'ConsumptionList',
    examples: [
      {
        ...forecastFrame.example.head,
        items: [example],
        totals: { skus: 1, used_qty: 176, daily_use: 5.867 },
        ...forecastFrame.example.pages,
      },
    ],
  },
);
