import { type Static, type TSchema, Type } from 'typebox';
import { RangeQuery } from './range.ts';
import { SECTIONS } from './sections/section-names.ts';

const count = Type.Integer();
const money = Type.Number();
const text = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const orNull = (schema: TSchema) => Type.Unsafe<number | null>({ ...schema, type: ['number', 'null'] });

export const DashboardQuery = Type.Object({
  range: RangeQuery,
  section: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      describedAs: { type: 'array', items: { type: 'string', enum: [...SECTIONS] } },
      description:
        'Repeated: only these sections. Names that are none of them are dropped; with none left, all nine are given',
      examples: [['summary', 'trends']],
    }),
  ),
});

const FIGURES = {
  orders: Type.Integer({ description: 'Every order that is not deleted, the cancelled and refunded included' }),
  revenue: Type.Number({ description: "Without cancelled and refunded orders, in the organization's currency" }),
  average_order_value: Type.Number({ description: 'Revenue per sold order, rounded to the digits of the currency' }),
  units: Type.Number({ description: 'Sold, without cancelled and refunded orders' }),
  customers: Type.Integer({ description: 'Distinct customers with orders, by phone number or email address' }),
  cancelled: count,
  refunded: count,
};
const percent = Type.Unsafe<number | null>({ type: ['number', 'null'] });

export const Summary = Type.Object({
  currency: Type.String({ description: "The organization's currency; all amounts of the dashboard are in it" }),
  ...FIGURES,
  previous: Type.Object(FIGURES, { description: 'The same number of days before the range' }),
  change: Type.Object(
    {
      orders: percent,
      revenue: percent,
      average_order_value: percent,
      units: percent,
      customers: percent,
      cancelled: percent,
      refunded: percent,
    },
    { description: 'Change from `previous` in percent, to the tenth; null when the previous value is 0' },
  ),
  other_currencies: Type.Optional(
    Type.Array(Type.Object({ currency: Type.String(), orders: count, revenue: money }), {
      description:
        'What was sold in others: in `orders` and `units`, but not in any amount. Only where there is something',
    }),
  ),
});

export const Trend = Type.Object({
  date: Type.String({ description: "A day in the organization's time zone" }),
  orders: count,
  revenue: money,
  units: Type.Number(),
});

export const AppFigures = Type.Object({
  app_slug: Type.String(),
  family: Type.String(),
  orders: count,
  revenue: money,
  share: Type.Number({ description: 'Share of all revenue, from 0 to 1' }),
  cancelled: count,
});

export const ALERT_KINDS = [
  'low_stock',
  'failing_webhook',
  'failing_connector',
  'cancellation_spike',
  'overdue_fee',
] as const;
export const SEVERITIES = ['critical', 'warning'] as const;

export const Alert = Type.Object({
  kind: Type.Unsafe<(typeof ALERT_KINDS)[number]>({ type: 'string', enum: [...ALERT_KINDS] }),
  severity: Type.Unsafe<(typeof SEVERITIES)[number]>({ type: 'string', enum: [...SEVERITIES] }),
  message_en: Type.String(),
  message_ar: Type.String(),
  ref: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: "The SKU's iv_id, or the id of the subscription or install",
  }),
  at: Type.String({ description: 'Start of the condition' }),
});

export const ActivityItem = Type.Object({
  id: Type.String({ description: "The event's id, as in the change feed" }),
  type: Type.String(),
  at: Type.String(),
  order_id: Type.String(),
  order_code: text,
  app_slug: Type.String(),
  branch_name: text,
  status_from: Type.String(),
  status: Type.String(),
  payment_status: Type.String(),
  total: money,
  currency: Type.String(),
});

export const SensyItem = Type.Object(
  {
    sku_id: Type.String({ description: "The SKU's iv_id" }),
    product_name_en: text,
    product_name_ar: text,
    branch_iv_id: text,
    current_qty: Type.Number(),
    days_of_cover: orNull(Type.Number()),
    stockout_date: text,
  },
  { description: 'A SKU that will run out soon, the earliest first' },
);

export const ConsumptionItem = Type.Object({
  sku_id: Type.String({ description: "The SKU's iv_id, as orders name it" }),
  product_name_en: text,
  product_name_ar: text,
  branch_iv_id: text,
  units: Type.Number({ description: 'Sold in the range' }),
  daily_use: Type.Number({ description: 'Units per day' }),
  current_qty: orNull(Type.Number({ description: 'null when the SKU is not in the catalog' })),
  days_of_cover: orNull(Type.Number({ description: 'Days until the stock is used up' })),
});

export const ProductFigures = Type.Object({
  product_id: Type.String({ description: "The product's iv_id, as orders name it" }),
  name_en: text,
  name_ar: text,
  units: Type.Number(),
  revenue: Type.Number({ description: 'Of its order lines, without fees and discounts' }),
  share: Type.Number({ description: 'Share of the revenue of all products, from 0 to 1' }),
});

export const Post = Type.Object({
  id: Type.String(),
  title_en: Type.String(),
  title_ar: Type.String(),
  body_en: Type.String(),
  body_ar: Type.String(),
  published_at: Type.String(),
});

const Sections = Type.Object(
  {
    summary: Type.Optional(Summary),
    trends: Type.Optional(Type.Array(Trend, { description: 'Every day of the range, the oldest first' })),
    apps: Type.Optional(Type.Array(AppFigures, { description: 'By channel, the highest revenue first' })),
    alerts: Type.Optional(Type.Array(Alert, { description: 'Conditions that need attention, the most severe first' })),
    activity: Type.Optional(Type.Array(ActivityItem, { description: 'The latest events of orders, at most 20' })),
    sensy: Type.Optional(Type.Array(SensyItem)),
    consumption: Type.Optional(
      Type.Array(ConsumptionItem, { description: 'The fastest-selling SKUs with their stock' }),
    ),
    products: Type.Optional(Type.Array(ProductFigures, { description: 'The 20 products with the highest revenue' })),
    posts: Type.Optional(Type.Array(Post, { description: 'Announcements of the operator' })),
  },
  { description: 'Empty sections are left out; `summary` is always present' },
);

const figures = {
  orders: 412,
  revenue: 31240.5,
  average_order_value: 81.57,
  units: 980,
  customers: 301,
  cancelled: 21,
};

export const Dashboard = Type.Object(
  {
    organization_id: Type.String(),
    range_days: Type.Integer(),
    fetched_at: Type.String(),
    data: Sections,
    errors: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Sections that could not be read, with the reason. Absent when all were read',
      }),
    ),
  },
  {
    title: 'AnalyticsDashboard',
    examples: [
      {
        organization_id: '0193a1f0-7c00-7000-8000-000000000001',
        range_days: 30,
        fetched_at: '2026-11-15T08:00:00.000Z',
        data: {
          summary: {
            currency: 'SAR',
            ...figures,
            refunded: 8,
            previous: { ...figures, orders: 400, refunded: 4 },
            change: {
              orders: 3,
              revenue: 0,
              average_order_value: 0,
              units: 0,
              customers: 0,
              cancelled: 0,
              refunded: 100,
            },
          },
          trends: [{ date: '2026-11-15', orders: 14, revenue: 1102.5, units: 31 }],
          apps: [
            { app_slug: 'jahez', family: 'delivery_app', orders: 210, revenue: 16010.25, share: 0.5125, cancelled: 12 },
          ],
          alerts: [
            {
              kind: 'low_stock',
              severity: 'warning',
              message_en: 'Low stock: Panadol Advance in Olaya has 3 left, its threshold is 10',
              message_ar: 'مخزون منخفض: بنادول أدفانس في العليا بقي منه 3، وحد إعادة الطلب 10',
              ref: 'PAIN-0003_RUH-OLAYA',
              at: '2026-11-15T07:40:00.000Z',
            },
          ],
          products: [
            {
              product_id: 'PAIN-0003',
              name_en: 'Panadol Advance',
              name_ar: 'بنادول أدفانس',
              units: 120,
              revenue: 1050,
              share: 0.0336,
            },
          ],
        },
      },
    ],
  },
);

export type SectionData = Static<typeof Sections>;
export type Summary = Static<typeof Summary>;
export type Trend = Static<typeof Trend>;
export type AppFigures = Static<typeof AppFigures>;
export type Alert = Static<typeof Alert>;
export type ActivityItem = Static<typeof ActivityItem>;
export type SensyItem = Static<typeof SensyItem>;
export type ConsumptionItem = Static<typeof ConsumptionItem>;
export type ProductFigures = Static<typeof ProductFigures>;
export type Post = Static<typeof Post>;
