import type { Tx } from '../../../platform/database/index.ts';
import type { Product, ProductImage } from '../product.ts';

export async function updateImages(tx: Tx, organizationId: string, { id, images, updated }: Product): Promise<void> {
  // Through a text parameter, because the driver would encode a json one again.
  await tx`
    update products set images = ${JSON.stringify(images)}::text::jsonb, updated = ${updated}
    where organization_id = ${organizationId} and id = ${id}`;
}

/** Images of many products in one statement, by iv_id. They count as part of the products' first version. */
export async function setProductImages(
  tx: Tx,
  organizationId: string,
  images: ReadonlyMap<string, readonly ProductImage[]>,
): Promise<void> {
  await tx`
    update products set images = new.images::jsonb
    from unnest(${[...images.keys()]}::text[], ${[...images.values()].map((list) => JSON.stringify(list))}::text[])
      as new (iv_id, images)
    where products.organization_id = ${organizationId} and products.iv_id = new.iv_id and not products.is_deleted`;
}
