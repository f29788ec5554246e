import type { Tx } from '../../../platform/database/index.ts';
import { updatedAfter } from '../../../platform/http/preconditions.ts';
import { type Actor, recordAudit, updateEntries } from '../../audit/index.ts';
import { abandonFiles } from '../../files/index.ts';
import type { Product, ProductImage } from '../product.ts';
import { productNotFound } from '../refusals.ts';
import { updateImages } from '../sql/images.ts';
import { lockByIvIds, type ProductKey } from '../sql/read.ts';

export type ImagesChange = {
  /** Throws to refuse. */
  change: (images: readonly ProductImage[]) => ProductImage[];
  checkVersion: (product: Product) => void;
};

/** `abandonedFiles` are to be removed after the commit. */
export type ChangedImages = { product: Product; abandonedFiles: string[] };

/** Every write of images: a new version of the product, an audit entry, and no file without a product. */
export async function changeImages(
  tx: Tx,
  { organizationId, ivId }: ProductKey,
  { change, checkVersion }: ImagesChange,
  actor: Actor,
  now: Date,
): Promise<ChangedImages> {
  const [before] = await lockByIvIds(tx, organizationId, [ivId]);
  if (before === undefined) throw productNotFound(ivId);
  checkVersion(before);
  const images = change(before.images);
  const product = { ...before, images, updated: updatedAfter(before.updated, now) };
  await updateImages(tx, organizationId, product);
  const inUse = new Set(images.map(({ key }) => key));
  const abandonedFiles = before.images.map(({ key }) => key).filter((key) => !inUse.has(key));
  await abandonFiles(tx, abandonedFiles, now);
  const entries = updateEntries('Products', ['images'], [{ id: product.id, before, after: product }]);
  await recordAudit(tx, organizationId, actor, entries, now);
  return { product, abandonedFiles };
}
