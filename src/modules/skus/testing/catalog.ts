import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import { generateForBranches, lockMatrixForBranches } from '../sql/matrix.ts';

export type FixtureProduct = { iv_id: string; name_en?: string; name_ar?: string; average_price?: number };

/** Products and branches written straight into their tables, so that the tests of SKUs stand on SKUs alone. */
export async function seedCatalog(
  sql: Sql,
  organizationId: string,
  catalog: { products: FixtureProduct[]; branches: string[] },
  now = new Date(),
): Promise<{ productIds: Map<string, string>; branchIds: Map<string, string> }> {
  const products = catalog.products.map((product) => ({
    organization_id: organizationId,
    id: newId(),
    iv_id: product.iv_id,
    name_en: product.name_en ?? '',
    name_ar: product.name_ar ?? '',
    average_price: product.average_price ?? 0,
    search_text: [product.name_en ?? '', product.name_ar ?? '', product.iv_id].map(foldForSearch).join('\n'),
    created: now,
    updated: now,
  }));
  const branches = catalog.branches.map((ivId) => ({
    organization_id: organizationId,
    id: newId(),
    iv_id: ivId,
    created: now,
    updated: now,
  }));
  await inTransaction(sql, async (tx) => {
    await lockMatrixForBranches(tx, organizationId);
    if (products.length > 0) await tx`insert into products ${tx(products)}`;
    if (branches.length > 0) await tx`insert into branches ${tx(branches)}`;
    const branchIds = branches.map((branch) => branch.id);
    await generateForBranches(tx, organizationId, branchIds, now);
  });
  return {
    productIds: new Map(products.map((product) => [product.iv_id, product.id])),
    branchIds: new Map(branches.map((branch) => [branch.iv_id, branch.id])),
  };
}
