import type { Queryable, Sql, Tx } from '../../../platform/database/index.ts';
import type { Product } from '../product.ts';

export type ProductKey = { organizationId: string; ivId: string };
export type KeyedProduct = Product & { organization_id: string };

/** Products of any organizations at once, for batched reads. */
export function findProducts(sql: Sql, keys: readonly ProductKey[]): Promise<KeyedProduct[]> {
  return sql<KeyedProduct[]>`
    select p.organization_id, p.id, p.iv_id, p.name_en, p.name_ar, p.average_price, p.vat_value, p.barcode, p.brand_id,
           p.category_id, p.generic_id, p.is_enabled, p.images, p.created, p.updated
    from unnest(${keys.map((key) => key.organizationId)}::uuid[], ${keys.map((key) => key.ivId)}::text[])
      as wanted (organization_id, iv_id)
    join products p on p.organization_id = wanted.organization_id and p.iv_id = wanted.iv_id
    where not p.is_deleted`;
}

export function findByIvIds(sql: Queryable, organizationId: string, ivIds: readonly string[]): Promise<Product[]> {
  return sql<Product[]>`
    select id, iv_id, name_en, name_ar, average_price, vat_value, barcode, brand_id, category_id, generic_id, is_enabled,
           images, created, updated
    from products
    where organization_id = ${organizationId} and iv_id = any(${ivIds as string[]}::text[]) and not is_deleted`;
}

/** In order of iv_id, so that batches which overlap wait for each other and never in a circle. */
export function lockByIvIds(tx: Tx, organizationId: string, ivIds: readonly string[]): Promise<Product[]> {
  return tx<Product[]>`
    select id, iv_id, name_en, name_ar, average_price, vat_value, barcode, brand_id, category_id, generic_id, is_enabled,
           images, created, updated
    from products
    where organization_id = ${organizationId} and iv_id = any(${ivIds as string[]}::text[]) and not is_deleted
    order by iv_id for update`;
}

export async function findBarcodeHolders(
  sql: Queryable,
  organizationId: string,
  barcodes: readonly string[],
): Promise<{ barcode: string; iv_id: string }[]> {
  if (barcodes.length === 0) return [];
  return sql<{ barcode: string; iv_id: string }[]>`
    select barcode, iv_id from products
    where organization_id = ${organizationId} and barcode = any(${barcodes as string[]}::text[])
      and barcode <> '' and not is_deleted`;
}

/** Which of these ids are brands and categories of the organization. */
export async function findReferences(
  sql: Queryable,
  organizationId: string,
  wanted: { brandIds: readonly string[]; categoryIds: readonly string[] },
): Promise<{ kind: 'brand' | 'category'; id: string }[]> {
  if (wanted.brandIds.length === 0 && wanted.categoryIds.length === 0) return [];
  return sql<{ kind: 'brand' | 'category'; id: string }[]>`
    select 'brand' as kind, id from brands
    where organization_id = ${organizationId} and id = any(${wanted.brandIds as string[]}::uuid[])
    union all
    select 'category' as kind, id from categories
    where organization_id = ${organizationId} and id = any(${wanted.categoryIds as string[]}::uuid[])`;
}
