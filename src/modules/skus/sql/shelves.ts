import type { Queryable } from '../../../platform/database/index.ts';

/** One article of one branch, as it stands on the shelf. */
export type ShelfItem = {
  branch_id: string;
  product_iv_id: string;
  sku_iv_id: string;
  name_en: string;
  name_ar: string;
  /** With VAT, as shelf prices are. */
  price: number;
  vat_value: number;
};

/** What the branches sell, the same article at the same place of every shelf. */
export function listShelfItems(sql: Queryable, organizationId: string): Promise<ShelfItem[]> {
  return sql<ShelfItem[]>`
    select s.branch_id, p.iv_id as product_iv_id, s.iv_id as sku_iv_id, p.name_en, p.name_ar,
           coalesce(s.price, p.average_price) as price, p.vat_value
    from skus s join products p on p.organization_id = s.organization_id and p.id = s.product_id
    where s.organization_id = ${organizationId} and p.is_enabled order by p.iv_id, s.branch_id`;
}
