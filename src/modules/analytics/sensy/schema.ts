import { type Static, Type } from 'typebox';
import { mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../platform/http/paging.ts';
import { HorizonQuery } from './horizon.ts';

const orNull = (type: 'number' | 'string', description: string) =>
  Type.Unsafe<number | null>({ type: [type, 'null'], description });
const dayOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

export const DEMAND_CLASSES = ['smooth', 'erratic', 'intermittent', 'lumpy', 'too_little_history'] as const;

/** The same spellings as on the dashboard, of days that are over. */
export const PastRangeQuery = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String())], {
    describedAs: { type: 'string' },
    description:
      'How many days of the past are shown beside what is to come, yesterday being the last: 7 or 7d, 30 or 30d, 90 or 90d, 180 or 180d, 1y or 365 or 365d. Anything else is 30. The forecast itself goes by up to a year whatever is asked for',
    examples: ['90d'],
  }),
);

export const ForecastQuery = Type.Object({
  range: PastRangeQuery,
  horizon: HorizonQuery,
  ...PageQuery,
  search: Type.Optional(
    Type.String({ maxLength: 255, description: "In the product's names, iv_id and barcode and in the SKU's iv_id" }),
  ),
  branch_iv_id: Type.Optional(Type.String({ maxLength: 50, description: 'Only SKUs of this branch' })),
});
export type ForecastQueryShape = Static<typeof ForecastQuery>;

const SensyForecastDay = Type.Object({
  date: Type.String(),
  qty: Type.Number({ description: 'Expected' }),
  lo: Type.Number({ description: 'Less is sold on one day in ten' }),
  hi: Type.Number({ description: 'More is sold on one day in ten' }),
});

const exampleDays = [
  { date: '2026-11-16', qty: 6.1, lo: 3, hi: 10 },
  { date: '2026-11-17', qty: 5.8, lo: 2, hi: 9 },
];

const example = {
  sku_id: 'PAIN-0003_RUH-OLAYA',
  product_name_en: 'Panadol Advance 24 tablets',
  product_name_ar: 'بنادول أدفانس 24 قرص',
  branch_iv_id: 'RUH-OLAYA',
  method: 'replay',
  demand_class: 'smooth' as const,
  history_days: 365,
  history_until: '2026-11-15',
  used_qty: 176,
  forecast: exampleDays,
  total_qty: 11.9,
  current_qty: 9,
  days_of_cover: 1,
  cover_p50_date: '2026-11-17',
  cover_p10_date: '2026-11-16',
  stockout_date: '2026-11-17',
  stockout_probability: 0.71,
  reorder_threshold: 12,
  buffer: 4,
  lead_time_days: 7,
  service_level: 0.95,
  reorder_point: 55,
  suggested_order_date: '2026-11-16',
  suggested_order_qty: 130,
  weekday_profile: [1, 0.9, 0.9, 0.9, 1.2, 1.3, 0.8],
  backtest: { wape: 0.18, mase: 0.74 },
  explanation: {
    en: 'Sells about 6 a day, most on Fridays; the 9 in stock last until about 17 November, so order 130 now.',
    ar: 'يُباع منه نحو 6 في اليوم وأكثرها يوم الجمعة؛ الكمية المتوفرة 9 تكفي حتى 17 نوفمبر تقريبًا، فاطلب 130 الآن.',
  },
};

export const SensyForecast = Type.Object(
  {
    sku_id: Type.String({ description: "The SKU's iv_id" }),
    product_name_en: Type.String(),
    product_name_ar: Type.String(),
    branch_iv_id: Type.String(),
    method: Type.String({ description: 'How the forecast was made' }),
    demand_class: Type.Unsafe<(typeof DEMAND_CLASSES)[number]>({ type: 'string', enum: [...DEMAND_CLASSES] }),
    history_days: Type.Integer({ description: 'Days of history that the forecast is based on' }),
    history_until: Type.String({ description: 'The last day of the branch with data: sales or uploads' }),
    used_qty: Type.Number({ description: 'Sold in the range' }),
    forecast: Type.Array(SensyForecastDay, { description: 'One entry per day, starting today' }),
    total_qty: Type.Number({ description: 'Expected over the horizon' }),
    current_qty: Type.Number({ description: 'The stock that the forecast is based on' }),
    days_of_cover: orNull(
      'number',
      'Whole days until a stockout, median; 0 when out of stock; null: more than a year, or no demand',
    ),
    cover_p50_date: dayOrNull('The day by which it has run out in half of all cases'),
    cover_p10_date: dayOrNull('The day by which it has run out in one of ten cases'),
    stockout_date: dayOrNull(
      'cover_p50_date where that is within the horizon; the first day of the forecast when out of stock',
    ),
    stockout_probability: Type.Number({
      description:
        'Probability of a stockout within the horizon, from 0 to 1: 1 when out of stock, but 0 when less than one is expected to be sold in 90 days',
    }),
    reorder_threshold: Type.Number({ description: "The SKU's, or where that is 0 the organization's default" }),
    buffer: Type.Number({ description: "The SKU's, or where that is 0 the organization's default" }),
    lead_time_days: Type.Integer(),
    service_level: Type.Number(),
    reorder_point: Type.Number({
      description: 'Reorder when the stock falls to this level: demand over the lead time at the service level',
    }),
    suggested_order_date: dayOrNull('null when nothing need be ordered for the next 90 days'),
    suggested_order_qty: Type.Number(),
    weekday_profile: Type.Array(Type.Number(), { description: 'Sunday first; 1 is an average day' }),
    backtest: Type.Object({
      wape: orNull('number', 'Error of past weeks, as a share of what they sold; null where nothing was'),
      mase: orNull('number', 'Error of past days over that of repeating the week before'),
    }),
    explanation: Type.Object({ en: Type.String(), ar: Type.String() }),
  },
  { title: 'SensyForecast', examples: [example] },
);
export type SensyForecastShape = Static<typeof SensyForecast>;

const at = '2026-11-16T08:00:00.000Z';
const head = {
  organization_id: '0193a1f0-7c00-7000-8000-000000000001',
  range_days: 30,
  horizon: 2,
  fetched_at: at,
  stale: false,
};
const pages = { count: 1, total_count: 1, page: 1, limit: 20, has_next: false };

/** Fields at the start and end of every response with forecasts. */
export const forecastFrame = {
  head: {
    organization_id: Type.String(),
    range_days: Type.Integer(),
    horizon: Type.Integer(),
    fetched_at: Type.String(),
    stale: Type.Boolean({
      description:
        'true: something has changed that these forecasts do not know yet (a new day, an upload, stock). They are being made anew',
    }),
  },
  pages: {
    count: Type.Integer(),
    total_count: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    has_next: Type.Boolean(),
  },
  example: { head, pages },
};

export const SensyAnswer = Type.Object(
  {
    ...forecastFrame.head,
    items: Type.Array(SensyForecast),
    totals: Type.Object(
      {
        skus: Type.Integer({ description: 'SKUs with a forecast' }),
        at_risk: Type.Integer({ description: 'SKUs with a stockout probability of at least 0.5 within the horizon' }),
        out_of_stock: Type.Integer(),
        to_order_now: Type.Integer(),
        suggested_order_qty: Type.Number({ description: 'Sum over SKUs to order now' }),
      },
      { description: 'Of all pages' },
    ),
    ...forecastFrame.pages,
  },
  {
    title: 'Sensy',
    examples: [
      {
        ...head,
        items: [example],
        totals: { skus: 1, at_risk: 1, out_of_stock: 0, to_order_now: 1, suggested_order_qty: 130 },
        ...pages,
      },
    ],
  },
);

const settingsExample = { lead_time_days: 7, service_level: 0.95, reorder_threshold: 0, buffer: 0 };
const amount = Type.Number({ minimum: 0, maximum: 1e12 });
const settings = {
  lead_time_days: Type.Integer({ minimum: 1, maximum: 90, description: 'Days from an order to the delivery' }),
  service_level: Type.Number({
    minimum: 0.5,
    maximum: 0.999,
    description: 'Target probability that the stock lasts until the delivery',
  }),
  reorder_threshold: amount,
  buffer: amount,
};

export const ForecastSettingsShape = Type.Object(
  {
    ...settings,
    reorder_threshold: Type.Number({ description: 'Default for SKUs whose own value is 0' }),
    buffer: Type.Number({ description: 'Safety stock for SKUs whose own value is 0, ordered on top' }),
  },
  { title: 'ForecastSettings', examples: [settingsExample] },
);
export const ForecastSettingsAnswer = mutationEnvelopeOf(ForecastSettingsShape);

export const ForecastSettingsChange = Type.Object(
  {
    lead_time_days: Type.Optional(settings.lead_time_days),
    service_level: Type.Optional(settings.service_level),
    reorder_threshold: Type.Optional(amount),
    buffer: Type.Optional(amount),
  },
  { title: 'ForecastSettingsChange', examples: [{ lead_time_days: 10, service_level: 0.98 }] },
);
export type ForecastSettingsChangeShape = Static<typeof ForecastSettingsChange>;
