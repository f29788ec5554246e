import type { Schemas } from '@dukkan/sdk';
import type { Language } from '../../i18n/index.ts';

type Order = Schemas['CanonicalOrder'];
/** Names of products in one language, by the merchant's code. */
export type ProductNames = Readonly<Record<string, string>>;
const MAX_LOOKED_UP = 50;
const SCRIPT = { ar: /\p{Script=Arabic}/u, en: /\p{Script=Latin}/u } as const;

/** What the channel sent stands where it is written in the language of the reader: it may say more than the catalog, such as a size. */
export function lineNames(
  { lines }: Order,
  stored: object | undefined,
  language: Language,
  products: ProductNames = {},
): string[] {
  return lines.map(({ name, sku_id, product_id }, index) => {
    const arabic = language === 'ar' ? arabicNameOf(stored, index) : '';
    if (arabic !== '') return arabic;
    const ofCatalog = isIn(language, name) ? undefined : products[product_id ?? ''];
    return ofCatalog || (name ?? sku_id ?? product_id ?? '—');
  });
}

/** The products of lines whose name is in another script. */
export function productsToLookUp({ lines }: Order, stored: object | undefined, language: Language): string[] {
  const ids = lines.flatMap(({ name, product_id }, index) => {
    const isNamed = isIn(language, name) || (language === 'ar' && arabicNameOf(stored, index) !== '');
    return isNamed || product_id === null ? [] : [product_id];
  });
  return [...new Set(ids)].slice(0, MAX_LOOKED_UP);
}

function arabicNameOf(stored: object | undefined, index: number): string {
  const products: readonly Record<string, unknown>[] =
    stored !== undefined && 'products' in stored && Array.isArray(stored.products) ? stored.products : [];
  const arabic = products[index]?.name_ar;
  return typeof arabic === 'string' ? arabic : '';
}

function isIn(language: Language, name: string | null): boolean {
  return name !== null && SCRIPT[language].test(name);
}
