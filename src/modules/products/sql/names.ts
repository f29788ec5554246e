import type { Queryable } from '../../../platform/database/index.ts';

export type ProductName = { iv_id: string; name_en: string; name_ar: string };

export function findProductNames(
  sql: Queryable,
  organizationId: string,
  ivIds: readonly string[],
): Promise<ProductName[]> {
  return sql<ProductName[]>`
    select iv_id, name_en, name_ar from products
    where organization_id = ${organizationId} and iv_id = any(${[...ivIds]}::text[]) and not is_deleted`;
}
