import type { Tx } from '../../../platform/database/index.ts';
import { type Product, searchTextOf } from '../product.ts';

/** In order of iv_id: the unique index makes batches that overlap wait for each other, and never in a circle. */
export async function insertProducts(tx: Tx, organizationId: string, products: readonly Product[], now: Date) {
  const rows = inOrder(products);
  await tx`
    insert into products (organization_id, id, iv_id, name_en, name_ar, average_price, vat_value, barcode, brand_id,
      category_id, generic_id, is_enabled, search_text, created, updated)
    select ${organizationId}, new.*, ${now}, ${now}
    from unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.iv_id)}::text[],
      ${rows.map((row) => row.name_en)}::text[], ${rows.map((row) => row.name_ar)}::text[],
      ${rows.map((row) => row.average_price)}::numeric[], ${rows.map((row) => row.vat_value)}::numeric[],
      ${rows.map((row) => row.barcode)}::text[], ${rows.map((row) => row.brand_id)}::uuid[],
      ${rows.map((row) => row.category_id)}::uuid[], ${rows.map((row) => row.generic_id)}::text[],
      ${rows.map((row) => row.is_enabled)}::boolean[], ${rows.map(searchTextOf)}::text[]) as new`;
}

export async function updateProducts(tx: Tx, organizationId: string, products: readonly Product[]) {
  const rows = inOrder(products);
  await tx`
    update products
    set name_en = new.name_en, name_ar = new.name_ar, average_price = new.average_price, vat_value = new.vat_value,
        barcode = new.barcode, brand_id = new.brand_id, category_id = new.category_id, generic_id = new.generic_id,
        is_enabled = new.is_enabled, search_text = new.search_text, updated = new.updated
    from unnest(
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.name_en)}::text[], ${rows.map((row) => row.name_ar)}::text[],
      ${rows.map((row) => row.average_price)}::numeric[], ${rows.map((row) => row.vat_value)}::numeric[],
      ${rows.map((row) => row.barcode)}::text[], ${rows.map((row) => row.brand_id)}::uuid[],
      ${rows.map((row) => row.category_id)}::uuid[], ${rows.map((row) => row.generic_id)}::text[],
      ${rows.map((row) => row.is_enabled)}::boolean[], ${rows.map(searchTextOf)}::text[],
      ${rows.map((row) => row.updated)}::timestamptz[])
      as new (id, name_en, name_ar, average_price, vat_value, barcode, brand_id, category_id, generic_id, is_enabled,
              search_text, updated)
    where products.organization_id = ${organizationId} and products.id = new.id`;
}

/** Takes these barcodes off their products, so that another product of the same batch can have them. */
export async function releaseBarcodes(tx: Tx, organizationId: string, productIds: string[]): Promise<void> {
  await tx`
    update products set barcode = ''
    where organization_id = ${organizationId} and id = any(${productIds}::uuid[])`;
}

export async function markDeleted(tx: Tx, organizationId: string, productId: string, now: Date): Promise<void> {
  await tx`
    update products set is_deleted = true, images = '[]', updated = ${now}
    where organization_id = ${organizationId} and id = ${productId}`;
}

function inOrder(products: readonly Product[]): Product[] {
  return [...products].sort((a, b) => (a.iv_id < b.iv_id ? -1 : 1));
}
