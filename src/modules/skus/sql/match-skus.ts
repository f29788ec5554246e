import type { Queryable } from '../../../platform/database/index.ts';

/** The SKU for an article code of another system. */
export type MatchedSku = { productIvId: string; skuIvId: string | null };
export type WantedSku = { code: string; branchId: string | null };

/** Which of our products a code means: its iv_id, its barcode, or the iv_id of one of its SKUs; and its SKU in the branch. */
export async function matchSkus(
  sql: Queryable,
  organizationId: string,
  wanted: readonly WantedSku[],
): Promise<(MatchedSku & WantedSku)[]> {
  const rows = await sql<{ code: string; branch_id: string | null; product_iv_id: string; sku_iv_id: string | null }[]>`
    select w.code, w.branch_id, p.iv_id as product_iv_id, s.iv_id as sku_iv_id
    from unnest(${wanted.map(({ code }) => code)}::text[], ${wanted.map(({ branchId }) => branchId)}::uuid[])
      as w (code, branch_id)
    cross join lateral (
      (select 1 as rank, id, iv_id from products
       where organization_id = ${organizationId} and iv_id = w.code and not is_deleted)
      union all
      (select 2, id, iv_id from products
       where organization_id = ${organizationId} and barcode = w.code and barcode <> '' and not is_deleted)
      union all
      (select 3, p.id, p.iv_id from skus k join products p on p.organization_id = k.organization_id and p.id = k.product_id
       where k.organization_id = ${organizationId} and k.iv_id = w.code and not p.is_deleted)
      order by rank limit 1
    ) p
    left join skus s on s.organization_id = ${organizationId} and s.product_id = p.id and s.branch_id = w.branch_id`;
  return rows.map((row) => ({
    code: row.code,
    branchId: row.branch_id,
    productIvId: row.product_iv_id,
    skuIvId: row.sku_iv_id,
  }));
}
