import { type Static, Type } from 'typebox';
import { bulkOutcomeOf, listEnvelopeOf, mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';

export const MAX_BULK_SKUS = 1000;

/** A whole name can be searched for. */
const MAX_SEARCH_CHARACTERS = 255;
const MAX_IV_ID_CHARACTERS = 50;
/** The product's, an underscore and the branch's. */
export const MAX_SKU_IV_ID_CHARACTERS = 2 * MAX_IV_ID_CHARACTERS + 1;
const MAX_NUMBER = 1e12;
export const MAX_PRICE = MAX_NUMBER;

export const SORT_COLUMNS = ['created', 'updated', 'iv_id', 'name_en', 'name_ar', 'price', 'current_qty'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

const at = '2026-11-15T08:00:00.000Z';
const example = {
  id: '9b2c8f0e-3a51-4d7e-8c1f-5e0a7d9b6c42',
  iv_id: 'PAIN-0003_RUH-OLAYA',
  organization_id: '0193a1f0-7c00-7000-8000-000000000001',
  product_id: '0193a1f0-7c00-7000-8000-000000000101',
  product_iv_id: 'PAIN-0003',
  branch_id: '0193a1f0-7c00-7000-8000-000000000201',
  branch_iv_id: 'RUH-OLAYA',
  name_en: 'Panadol Advance 24 tablets',
  name_ar: 'بنادول أدفانس 24 قرص',
  price: null,
  effective_price: 8.75,
  current_qty: 42,
  reorder_threshold: 12,
  buffer: 4,
  is_enabled: true,
  created: at,
  updated: at,
};

export const Sku = Type.Object(
  {
    id: Type.String(),
    iv_id: Type.String({ description: "The product's iv_id, an underscore and the branch's" }),
    organization_id: Type.String(),
    product_id: Type.String(),
    product_iv_id: Type.String(),
    branch_id: Type.String(),
    branch_iv_id: Type.String(),
    name_en: Type.String({ description: "The product's" }),
    name_ar: Type.String({ description: "The product's" }),
    price: Type.Unsafe<number | null>({ type: ['number', 'null'], description: "null: the product's price holds" }),
    effective_price: Type.Number({ description: "Its own price, or the product's" }),
    current_qty: Type.Number({ description: 'On the shelf; negative when more was sold than was counted' }),
    reorder_threshold: Type.Number({ description: 'At or below this the stock is low' }),
    buffer: Type.Number({ description: 'Kept in reserve. Goes into how much to order, not into when stock is low' }),
    is_enabled: Type.Boolean(),
    created: Type.String(),
    updated: Type.String(),
  },
  { title: 'Sku', description: 'One product in one branch', examples: [example] },
);
export type SkuShape = Static<typeof Sku>;

export const SkuParams = Type.Object({
  ivId: Type.String({ description: "The product's iv_id, an underscore, the branch's", examples: [example.iv_id] }),
});

export const SkuQuery = Type.Object({
  ...PageQuery,
  sort: Type.Optional(
    Type.String({
      description: `${SORT_COLUMNS.join(', ')}; a minus for descending. -created by default. price is the effective one`,
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_CHARACTERS,
      description: "In the product's names, iv_id and barcode and in the SKU's iv_id",
    }),
  ),
  product_iv_id: Type.Optional(
    Type.String({ maxLength: MAX_IV_ID_CHARACTERS, description: 'One product, in all branches' }),
  ),
  branch_iv_id: Type.Optional(
    Type.String({ maxLength: MAX_IV_ID_CHARACTERS, description: 'One branch, with all products' }),
  ),
  is_enabled: Type.Optional(Type.Boolean({ description: 'Only those on sale, or off it' })),
  low_stock: Type.Optional(
    Type.Boolean({ description: 'true: current_qty at or below reorder_threshold; false: above it' }),
  ),
});
export type SkuQueryShape = Static<typeof SkuQuery>;

const amount = Type.Number({ minimum: 0, maximum: MAX_NUMBER });
const changeable = {
  price: Type.Optional(Type.Union([amount, Type.Null()], { description: "null: back to the product's price" })),
  current_qty: Type.Optional(Type.Number({ minimum: -MAX_NUMBER, maximum: MAX_NUMBER })),
  reorder_threshold: Type.Optional(amount),
  buffer: Type.Optional(amount),
  is_enabled: Type.Optional(Type.Boolean()),
};

export const SkuChangeBody = Type.Object(changeable, {
  title: 'SkuChange',
  examples: [{ price: 9.5, current_qty: 120, reorder_threshold: 24 }, { price: null }],
});
export type SkuChange = Static<typeof SkuChangeBody>;

/** One item of a bulk call. */
export const SkuBulkItem = Type.Object(
  {
    iv_id: Type.String({ minLength: 1, maxLength: MAX_SKU_IV_ID_CHARACTERS }),
    ...changeable,
  },
  { title: 'SkuBulkItem' },
);
export type SkuBulkItemShape = Static<typeof SkuBulkItem>;

export const SkuBulkBody = Type.Object(
  {
    mode: Type.Literal('update', { description: 'SKUs come and go with products and branches: they are only updated' }),
    // Items are judged one by one, so that a bad one spoils no other.
    skus: Type.Array(
      Type.Unsafe<unknown>({ anyOf: [SkuBulkItem, { description: 'Anything else fails, on its own' }] }),
      { minItems: 1, description: `At most ${MAX_BULK_SKUS}` },
    ),
  },
  {
    title: 'SkuBulk',
    examples: [
      {
        mode: 'update',
        skus: [
          { iv_id: 'PAIN-0001_RUH-OLAYA', current_qty: 42, reorder_threshold: 12 },
          { iv_id: 'PAIN-0001_JED-RAWDAH', price: null, is_enabled: false },
        ],
      },
    ],
  },
);

/** The names in it, of which the schema above knows nothing: anything is an item there. */
export const SkuBulkNames = Type.Object({ mode: Type.Unknown(), skus: Type.Array(SkuBulkItem) });

export const SkuList = Type.Object(listEnvelopeOf(Sku).properties, {
  title: 'SkuList',
  examples: [{ data: [example], count: 1, total_count: 1, page: 1, limit: 20, has_next: false, meta: {} }],
});

export const SkuChanged = Type.Object(mutationEnvelopeOf(Sku).properties, {
  title: 'SkuAnswer',
  examples: [
    { success: true, message: 'SKU updated', data: { ...example, price: 9.5, effective_price: 9.5 }, timestamp: at },
  ],
});

export const SkuBulkAnswer = Type.Object(
  mutationEnvelopeOf(bulkOutcomeOf({ succeeded: 1, failed: 1, errors: { 'PAIN-0001_XXX-01': 'SKU not found' } }))
    .properties,
  {
    title: 'BulkAnswer',
    examples: [
      {
        success: true,
        message: '1 of 2 SKUs updated',
        data: { succeeded: 1, failed: 1, errors: { 'PAIN-0001_XXX-01': 'SKU not found' } },
        timestamp: at,
      },
    ],
  },
);
