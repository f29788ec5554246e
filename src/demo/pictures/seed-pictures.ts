import { createHash } from 'node:crypto';
import { SHARED_DRAWINGS } from '../../modules/files/index.ts';
import { type ProductImage, setProductImages } from '../../modules/products/index.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { FileStore } from '../../platform/files/index.ts';
import { newId } from '../../platform/ids.ts';
import type { DemoProduct } from '../products.ts';
import { chooseDrawing, type Drawing, drawSvg } from './choose-drawing.ts';

const WRITTEN_AT_ONCE = 16;

/**
 * Gives every product a drawing. Products with the same packaging and colours share a file: 96 files of 1 kB for 760 products.
 * Names are derived from the content, so a load that is repeated writes the same files.
 */
export async function seedPictures(
  tx: Tx,
  files: FileStore,
  organizationId: string,
  products: readonly DemoProduct[],
): Promise<void> {
  const drawings = new Map<string, Drawing>();
  const images = new Map<string, ProductImage[]>();
  for (const product of products) {
    const drawing = chooseDrawing(product);
    const key = keyOf(drawing);
    drawings.set(key, drawing);
    images.set(product.iv_id, [{ id: newId(), key, alt_en: product.name_en, alt_ar: product.name_ar }]);
  }
  const pending = [...drawings];
  const write = async () => {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [key, drawing] = next;
      await files.put(key, Buffer.from(drawSvg(drawing)), { contentType: 'image/svg+xml' });
    }
  };
  await Promise.all(Array.from({ length: WRITTEN_AT_ONCE }, write));
  await setProductImages(tx, organizationId, images);
}

/** A hash in the form of a uuid, as every name in the store is. */
function keyOf(drawing: Drawing): string {
  const hash = createHash('sha256').update(drawSvg(drawing)).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)];
  return `${SHARED_DRAWINGS}/${parts.join('-')}.svg`;
}
