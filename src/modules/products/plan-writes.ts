import { isMatch, updatedAfter } from '../../platform/http/preconditions.ts';
import type { FieldErrors } from '../../platform/http/validation.ts';
import { DEFAULTS, type Product, type ProductFields } from './product.ts';

export const MODES = ['create', 'update', 'upsert'] as const;
export type Mode = (typeof MODES)[number];

export type Item = { ivId: string; fields: Partial<ProductFields>; ifMatch?: string | undefined };

/** What the database holds of all that the items touch. */
export type Known = {
  products: readonly Product[];
  /** Barcode to the iv_id of the product that has it. */
  barcodes: ReadonlyMap<string, string>;
  brandIds: ReadonlySet<string>;
  categoryIds: ReadonlySet<string>;
};

export type Refusal =
  | { kind: 'unknown-reference'; fields: FieldErrors }
  | { kind: 'taken' }
  | { kind: 'repeated' }
  | { kind: 'missing' }
  | { kind: 'changed'; current: Product }
  | { kind: 'barcode'; barcode: string }
  | { kind: 'clash'; skuIvId: string };

/** The product as it stands after the item, or why nothing was done. */
export type Outcome = { product: Product } | { refusal: Refusal };

export type Plan = {
  /** One for each item, in order. */
  outcomes: Outcome[];
  /** In the order in which they came to be. */
  created: Product[];
  changed: { before: Product; after: Product }[];
};

type Making = { newId: () => string; now: Date };

/**
 * Works out what a batch comes to, exactly as if its items were written one after the other: a later item sees what an
 * earlier one did, and one that is refused leaves no trace. Only the end state is then written, in a few statements.
 *
 * `clashes` names products that cannot be created, with the SKU iv_id that stands in the way.
 */
export function planWrites(
  mode: Mode,
  items: readonly Item[],
  known: Known,
  clashes: ReadonlyMap<string, string>,
  making: Making,
): Plan {
  const before = new Map(known.products.map((product) => [product.iv_id, product]));
  const current = new Map(before);
  const barcodes = new Map(known.barcodes);
  const touched = new Set<string>();

  const outcomes = items.map((item): Outcome => {
    const existing = current.get(item.ivId);
    const refusal =
      refuseReferences(item.fields, known) ??
      refuseByMode(mode, existing, touched.has(item.ivId)) ??
      refuseVersion(item, existing) ??
      refuseBarcode(item, barcodes) ??
      refuseClash(item.ivId, existing, clashes);
    if (refusal !== undefined) return { refusal };

    const updated = updatedAfter(existing?.updated, making.now);
    const product = { ...(existing ?? fresh(item.ivId, making)), ...item.fields, updated };
    if (existing !== undefined && existing.barcode !== product.barcode) barcodes.delete(existing.barcode);
    if (product.barcode !== '') barcodes.set(product.barcode, product.iv_id);
    current.set(item.ivId, product);
    touched.add(item.ivId);
    return { product };
  });

  const plan: Plan = { outcomes, created: [], changed: [] };
  for (const ivId of touched) {
    const after = current.get(ivId);
    const earlier = before.get(ivId);
    if (after !== undefined && earlier !== undefined) plan.changed.push({ before: earlier, after });
    else if (after !== undefined) plan.created.push(after);
  }
  return plan;
}

function fresh(ivId: string, { newId, now }: Making): Product {
  return { ...DEFAULTS, id: newId(), iv_id: ivId, images: [], created: now, updated: now };
}

function refuseReferences({ brand_id, category_id }: Item['fields'], known: Known): Refusal | undefined {
  const fields: FieldErrors = {};
  if (brand_id != null && !known.brandIds.has(brand_id)) fields.brand_id = 'does not exist';
  if (category_id != null && !known.categoryIds.has(category_id)) fields.category_id = 'does not exist';
  return Object.keys(fields).length > 0 ? { kind: 'unknown-reference', fields } : undefined;
}

function refuseByMode(mode: Mode, existing: Product | undefined, byThisBatch: boolean): Refusal | undefined {
  if (mode === 'create' && existing !== undefined) return { kind: byThisBatch ? 'repeated' : 'taken' };
  if (mode === 'update' && existing === undefined) return { kind: 'missing' };
  return undefined;
}

function refuseVersion({ ifMatch }: Item, existing: Product | undefined): Refusal | undefined {
  if (existing === undefined || isMatch(ifMatch, existing.updated)) return undefined;
  return { kind: 'changed', current: existing };
}

function refuseBarcode({ ivId, fields }: Item, barcodes: ReadonlyMap<string, string>): Refusal | undefined {
  const holder = fields.barcode ? barcodes.get(fields.barcode) : undefined;
  return holder !== undefined && holder !== ivId ? { kind: 'barcode', barcode: fields.barcode ?? '' } : undefined;
}

function refuseClash(
  ivId: string,
  existing: Product | undefined,
  clashes: ReadonlyMap<string, string>,
): Refusal | undefined {
  const skuIvId = existing === undefined ? clashes.get(ivId) : undefined;
  return skuIvId === undefined ? undefined : { kind: 'clash', skuIvId };
}
