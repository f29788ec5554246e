import type { Tx } from '../../../platform/database/index.ts';

export type ProductReference = 'brand_id' | 'category_id';

export async function countProductsOf(
  tx: Tx,
  organizationId: string,
  reference: ProductReference,
  id: string,
): Promise<number> {
  const [row] = await tx<{ products: number }[]>`
    select count(*) as products from products
    where organization_id = ${organizationId} and ${tx(reference)} = ${id} and not is_deleted`;
  return row?.products ?? 0;
}

/** What is deleted holds on to nothing: without this, its row would keep the brand for ever. */
export async function forgetInDeletedProducts(
  tx: Tx,
  organizationId: string,
  reference: ProductReference,
  id: string,
): Promise<void> {
  await tx`
    update products set ${tx(reference)} = null
    where organization_id = ${organizationId} and ${tx(reference)} = ${id} and is_deleted`;
}
