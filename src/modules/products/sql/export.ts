import type { Queryable } from '../../../platform/database/index.ts';
import type { Product } from '../product.ts';
import { inOrder, matching, type ProductFilter, type ProductSort } from './list.ts';

export async function listProductIds(
  sql: Queryable,
  organizationId: string,
  filter: ProductFilter,
  sort: ProductSort,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from products
    where organization_id = ${organizationId} and not is_deleted ${matching(sql, filter)}
    order by ${inOrder(sql, sort)} limit ${limit}`;
  return rows.map(({ id }) => id);
}

export function findProductsByIds(sql: Queryable, organizationId: string, ids: string[]): Promise<Product[]> {
  return sql<Product[]>`
    select id, iv_id, name_en, name_ar, average_price, vat_value, barcode, brand_id, category_id, generic_id, is_enabled,
           images, created, updated
    from products
    where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and not is_deleted`;
}
