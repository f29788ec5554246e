import { bySize, groupVariants } from '../../ui/product-variants.ts';

type Named = { iv_id: string; name_en: string; name_ar: string };
/** One of the goods, or the variants of one product, the smallest first. */
export type Entry<Goods> = readonly [Goods, ...Goods[]];

/** Variants of one product become one entry, where the first of them was. */
export function toEntries<Goods extends Named>(goods: readonly Goods[]): Entry<Goods>[] {
  const groups = groupVariants(goods).map(({ products }) => bySize(products));
  return goods.flatMap((one): Entry<Goods>[] => {
    const group = groups.find((variants) => variants.includes(one));
    if (group === undefined) return [[one]];
    const isFirst = goods.find((other) => group.includes(other)) === one;
    return isFirst ? [group as unknown as Entry<Goods>] : [];
  });
}
