import { findProductNames } from '../../products/index.ts';
import type { ProductFigures } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';
import { shareOf } from '../share-of.ts';

/** The products of the highest revenue. Names are those of today; one that the catalog does not know has none. */
export async function readProducts(context: SectionContext): Promise<ProductFigures[]> {
  const sold = (await context.bestSellers()).filter((thing) => thing.kind === 'product');
  if (sold.length === 0) return [];
  const { sources, scope } = context;
  const ivIds = sold.map(({ id }) => id);
  const names = await findProductNames(sources.sql, scope.organizationId, ivIds);
  const byIvId = new Map(names.map((name) => [name.iv_id, name]));
  return sold.map(({ id, units, revenue, total }) => ({
    product_id: id,
    name_en: byIvId.get(id)?.name_en ?? null,
    name_ar: byIvId.get(id)?.name_ar ?? null,
    units,
    revenue,
    share: shareOf(revenue, total),
  }));
}
