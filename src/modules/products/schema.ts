import { Type } from 'typebox';
import { bulkOutcomeOf, listEnvelopeOf, mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';
import { MODES } from './plan-writes.ts';
import { SORT_COLUMNS } from './sql/list.ts';

export const MAX_BULK_ITEMS = 1000;
const MAX_IV_ID_CHARACTERS = 50;
/** A whole name can be searched for. */
const MAX_SEARCH_CHARACTERS = 255;
// A price with this many digits before the point is a mistake, and still exact as a JavaScript number.
const MAX_PRICE = 1e12;

export const productExample = {
  id: '0193a1f0-7c00-7000-8000-00000000000a',
  iv_id: 'PAN-EXTRA-24',
  organization_id: '0193a1f0-7c00-7000-8000-000000000001',
  name_en: 'Panadol Extra 24 tablets',
  name_ar: 'بنادول إكسترا 24 قرص',
  average_price: 18.95,
  vat_value: 15,
  barcode: '6281086010242',
  brand_id: '0193a1f0-7c00-7000-8000-00000000000b',
  category_id: '0193a1f0-7c00-7000-8000-00000000000c',
  generic_id: 'paracetamol-caffeine',
  is_enabled: true,
  is_deleted: false,
  images: [
    {
      id: '0193a1f0-7c00-7000-8000-0000000001a1',
      url: 'https://api.example.com/api/v1/files/0193a1f0-7c00-7000-8000-000000000001/3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.webp',
      alt_en: 'Front of the box',
      alt_ar: 'واجهة العلبة',
    },
  ],
  created: '2026-11-15T08:00:00.000Z',
  updated: '2026-11-15T08:00:00.000Z',
};

const ProductImage = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'Needs no token and never changes: another image has another address' }),
    alt_en: Type.String({ description: 'What it shows, for those who cannot see it' }),
    alt_ar: Type.String(),
  },
  { title: 'ProductImage', examples: productExample.images },
);

export const Product = Type.Object(
  {
    id: Type.String(),
    iv_id: Type.String(),
    organization_id: Type.String(),
    name_en: Type.String(),
    name_ar: Type.String(),
    average_price: Type.Number(),
    vat_value: Type.Number(),
    barcode: Type.String({ description: 'Empty when there is none' }),
    brand_id: Type.Union([Type.String(), Type.Null()]),
    category_id: Type.Union([Type.String(), Type.Null()]),
    generic_id: Type.String(),
    is_enabled: Type.Boolean(),
    is_deleted: Type.Boolean(),
    images: Type.Array(ProductImage, { description: 'In their order; the first is the one of lists' }),
    created: Type.String(),
    updated: Type.String(),
  },
  { title: 'Product', description: 'What is sold, in whichever branch', examples: [productExample] },
);

const text = (maxLength: number, description?: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...(description && { description }) }),
  );
const number = (maximum: number, description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum, description }));

/** Null asks for the default of a field. */
const settableFields = {
  name_en: text(255),
  name_ar: text(255),
  average_price: number(MAX_PRICE, 'Default price of the SKUs'),
  vat_value: number(100, 'VAT in percent'),
  barcode: text(50, 'Unique in the organization when not empty'),
  brand_id: text(255, 'An existing brand'),
  category_id: text(255, 'An existing category'),
  generic_id: text(255, 'Generic medicine that this product is a brand of'),
  is_enabled: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description: 'True by default' })),
};
const ivId = Type.String({ minLength: 1, maxLength: MAX_IV_ID_CHARACTERS, pattern: '\\S' });

const givenExample = {
  iv_id: productExample.iv_id,
  name_en: productExample.name_en,
  name_ar: productExample.name_ar,
  average_price: productExample.average_price,
  vat_value: productExample.vat_value,
  barcode: productExample.barcode,
};

export const NewProduct = Type.Object(
  { iv_id: ivId, ...settableFields },
  { title: 'NewProduct', examples: [givenExample] },
);

export const ProductReplacement = Type.Object(
  { iv_id: Type.Optional(ivId), ...settableFields },
  {
    title: 'ProductReplacement',
    examples: [
      { name_en: 'Panadol Advance 10 tablets', name_ar: 'بنادول أدفانس 10 أقراص', average_price: 4.75, vat_value: 0 },
    ],
  },
);

export const ProductChange = Type.Object(
  { iv_id: Type.Optional(ivId), ...settableFields },
  { title: 'ProductChange', examples: [{ average_price: 4.75 }] },
);

export const ProductParams = Type.Object({
  ivId: Type.String({ description: "The product's iv_id", examples: ['PAIN-0001'] }),
});

export const ProductQuery = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_CHARACTERS,
      description:
        'Part of a name in either language, an iv_id or a barcode; case and Arabic letter variants are alike',
    }),
  ),
  brand_id: Type.Optional(Type.String({ description: 'Only those of this brand, by its id' })),
  category_id: Type.Optional(Type.String({ description: 'Only those of this category, by its id' })),
  is_enabled: Type.Optional(Type.Boolean({ description: 'Only those on sale, or off it' })),
  sort: Type.Optional(
    Type.String({ default: '-created', description: `${SORT_COLUMNS.join(', ')}; after a minus for descending` }),
  ),
});

export const DeleteQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ default: false, description: 'Remove its SKUs as well' })),
});

export const ProductList = listEnvelopeOf(Product);
export const ProductCreated = mutationEnvelopeOf(
  Type.Object(
    { id: Type.String(), iv_id: Type.String() },
    { title: 'ProductKey', examples: [{ id: productExample.id, iv_id: productExample.iv_id }] },
  ),
);
export const ProductReplaced = mutationEnvelopeOf(Product);

const mode = Type.Unsafe<(typeof MODES)[number]>({
  title: 'BulkMode',
  type: 'string',
  enum: [...MODES],
  description: 'create fails on what exists, update on what does not',
});

export const BulkBody = Type.Object(
  {
    mode,
    products: Type.Array(NewProduct, {
      maxItems: MAX_BULK_ITEMS,
      description: 'An update keeps the fields that are absent; null sets the default',
    }),
  },
  {
    title: 'ProductBulk',
    examples: [
      {
        mode: 'upsert',
        products: [givenExample, { iv_id: 'MILK-1L', name_ar: 'حليب كامل الدسم', average_price: 6.5 }],
      },
    ],
  },
);

/** What a bulk call is refused for as a whole; each product is judged on its own. */
export const BulkFrame = Type.Object({ mode, products: Type.Array(Type.Unknown()) });

const bulkAnswer = mutationEnvelopeOf(
  bulkOutcomeOf({ succeeded: 998, failed: 2, errors: { 'MILK-1L': 'Duplicate barcode', '#7': 'iv_id is required' } }),
);
export const BulkAnswer = Type.Object(bulkAnswer.properties, { ...bulkAnswer, title: 'BulkAnswer' });
