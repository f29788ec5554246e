import { type Static, Type } from 'typebox';
import { mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';

export const MAX_CHANGED_SKUS = 20_000;
export const MAX_SHOWN_ROWS = 200;
/** As many as one bulk call takes back. */
export const MAX_UNDO_ROWS = 1000;
export const ROUNDINGS = ['none', '0.05', '0.25', '0.50', '1.00'] as const;

const MAX_IV_IDS = 1000;
const ivIds = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: MAX_IV_IDS, description }),
  );
const id = (description: string) => Type.Optional(Type.String({ maxLength: 50, description }));

export const PriceChangeBody = Type.Object(
  {
    percent: Type.Number({
      minimum: -90,
      maximum: 500,
      description: '10 raises by a tenth, -10 lowers by a tenth. At most two decimals',
    }),
    rounding: Type.Optional(
      Type.Unsafe<(typeof ROUNDINGS)[number]>({
        type: 'string',
        enum: [...ROUNDINGS],
        default: 'none',
        description: 'To the nearest multiple; none rounds to the digits of the currency',
      }),
    ),
    filter: Type.Object(
      {
        product_iv_ids: ivIds('Only these products'),
        branch_iv_ids: ivIds('Only in these branches'),
        category_id: id('Only products of this category'),
        brand_id: id('Only products of this brand'),
      },
      { description: 'Absent fields select everything. An account confined to one branch changes that branch' },
    ),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Only show what would change' })),
  },
  {
    title: 'PriceChange',
    examples: [
      { percent: 7.5, rounding: '0.25', filter: { product_iv_ids: ['PAIN-0001', 'PAIN-0003'] }, dry_run: true },
    ],
  },
);
export type PriceChangeShape = Static<typeof PriceChangeBody>;

const Row = Type.Object(
  {
    sku_iv_id: Type.String(),
    product_iv_id: Type.String(),
    branch_iv_id: Type.String(),
    name_en: Type.String(),
    name_ar: Type.String(),
    price_before: Type.Number({ description: 'The effective price' }),
    price_after: Type.Number(),
  },
  { title: 'PriceChangeRow' },
);

const example = {
  applied: false,
  total: 12,
  rows: [
    {
      sku_iv_id: 'PAIN-0003_RUH-OLAYA',
      product_iv_id: 'PAIN-0003',
      branch_iv_id: 'RUH-OLAYA',
      name_en: 'Panadol Advance 24 tablets',
      name_ar: 'بنادول أدفانس 24 قرص',
      price_before: 8.75,
      price_after: 9.5,
    },
  ],
  undo: null,
};

export const PriceChangeAnswer = mutationEnvelopeOf(
  Type.Object(
    {
      applied: Type.Boolean({ description: 'false for a dry run' }),
      total: Type.Integer({ description: 'SKUs whose price changes. Exact' }),
      rows: Type.Array(Row, { description: `The first ${MAX_SHOWN_ROWS} by product and branch` }),
      undo: Type.Unsafe<{ iv_id: string; price: number | null }[] | null>({
        type: ['array', 'null'],
        items: {
          type: 'object',
          properties: { iv_id: { type: 'string' }, price: { type: ['number', 'null'] } },
          required: ['iv_id', 'price'],
        },
        description: `The own prices before, as POST /skus/bulk takes them. null for a dry run and for more than ${MAX_UNDO_ROWS} SKUs`,
      }),
    },
    { title: 'PriceChangeResult', examples: [example] },
  ),
);
