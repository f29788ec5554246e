import { recordChange, type Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { abandonFiles } from '../files/index.ts';
import { countOfProduct, lockMatrixForProducts, removeOfProducts } from '../skus/index.ts';
import { productNotFound } from './refusals.ts';
import { lockByIvIds, type ProductKey } from './sql/read.ts';
import { markDeleted } from './sql/write.ts';
import { PRODUCTS_LIST } from './write-products.ts';

/**
 * The row stays for what refers to it; its iv_id and barcode are free again, since their indexes leave it out. Returns the files of its
 * images, to be removed after the commit.
 */
export async function deleteProduct(
  tx: Tx,
  key: ProductKey,
  options: { force: boolean },
  actor: Actor,
  now: Date,
): Promise<string[]> {
  const { organizationId, ivId } = key;
  await lockMatrixForProducts(tx, organizationId);
  const [product] = await lockByIvIds(tx, organizationId, [ivId]);
  if (product === undefined) throw productNotFound(ivId);
  if (!options.force) {
    const skus = await countOfProduct(tx, organizationId, product.id);
    if (skus > 0) throw conflict('Product has SKUs', { iv_id: ivId, skus });
  }
  await markDeleted(tx, organizationId, product.id, now);
  await recordChange(tx, organizationId, PRODUCTS_LIST, -1);
  await removeOfProducts(tx, organizationId, [product.id]);
  const entry = { action: 'delete', resource: 'Products', resourceId: product.id };
  const files = product.images.map(({ key: file }) => file);
  await abandonFiles(tx, files, now);
  await recordAudit(tx, organizationId, actor, [entry], now);
  return files;
}
