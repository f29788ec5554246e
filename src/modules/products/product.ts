import { foldForSearch } from '../../platform/text/folding.ts';

/** What a caller can set. A text that is not given is empty; a reference that is not given is null. */
export type ProductFields = {
  name_en: string;
  name_ar: string;
  average_price: number;
  vat_value: number;
  barcode: string;
  brand_id: string | null;
  category_id: string | null;
  generic_id: string;
  is_enabled: boolean;
};

/** `key` is its file in the store. */
export type ProductImage = { id: string; key: string; alt_en: string; alt_ar: string };

export type Product = ProductFields & {
  id: string;
  iv_id: string;
  /** Changed by their own routes only; every other write leaves them. */
  images: ProductImage[];
  created: Date;
  updated: Date;
};

/** The same fields as they arrive: null asks for the default, an absent field for nothing. */
export type GivenFields = { [Name in keyof ProductFields]?: ProductFields[Name] | null | undefined };

export const DEFAULTS: ProductFields = {
  name_en: '',
  name_ar: '',
  average_price: 0,
  vat_value: 0,
  barcode: '',
  brand_id: null,
  category_id: null,
  generic_id: '',
  is_enabled: true,
};

/** In the order of the wire. */
export const NAMES = Object.keys(DEFAULTS) as (keyof ProductFields)[];

export function readFields(given: GivenFields): Partial<ProductFields> {
  const named = NAMES.filter((name) => given[name] !== undefined).map((name) => [name, given[name] ?? DEFAULTS[name]]);
  const fields: Partial<ProductFields> = Object.fromEntries(named);
  // The database answers ids in lower case, and the rules compare with what it answered.
  if (fields.brand_id) fields.brand_id = fields.brand_id.toLowerCase();
  if (fields.category_id) fields.category_id = fields.category_id.toLowerCase();
  return fields;
}

/** A line for each part: a folded search never holds a line break, so it cannot match across two of them. */
export function searchTextOf(product: Product): string {
  return [product.name_en, product.name_ar, product.iv_id, product.barcode].map(foldForSearch).join('\n');
}

export function productShape(organizationId: string, product: Product, urlOf: (key: string) => string) {
  return {
    id: product.id,
    iv_id: product.iv_id,
    organization_id: organizationId,
    name_en: product.name_en,
    name_ar: product.name_ar,
    average_price: product.average_price,
    vat_value: product.vat_value,
    barcode: product.barcode,
    brand_id: product.brand_id,
    category_id: product.category_id,
    generic_id: product.generic_id,
    is_enabled: product.is_enabled,
    // Deleted ones are never shown.
    is_deleted: false,
    images: product.images.map(({ id, key, alt_en, alt_ar }) => ({ id, url: urlOf(key), alt_en, alt_ar })),
    created: product.created.toISOString(),
    updated: product.updated.toISOString(),
  };
}

export type ProductShape = ReturnType<typeof productShape>;
