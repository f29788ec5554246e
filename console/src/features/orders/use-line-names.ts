import type { Dukkan, Schemas } from '@dukkan/sdk';
import { useQuery } from '@tanstack/react-query';
import { type Language, useLanguage } from '../../i18n/index.ts';
import { useApi, useMay, useRead, useScope } from '../../platform/index.ts';
import { lineNames, type ProductNames, productsToLookUp } from './line-names.ts';

type Order = Schemas['CanonicalOrder'];
const STALE_AFTER_MS = 60_000;

/** The name of each line. A canonical order has one name a line, as its channel sent it; the Arabic one of a sale at the till is in the stored order. */
export function useLineNames(order: Order): readonly string[] {
  const language = useLanguage();
  const isArabic = language === 'ar';
  const api = useApi();
  const stored = useRead('getOrder', { path: { id: order.id } }, { enabled: isArabic, staleTime: STALE_AFTER_MS });
  const ids = isArabic && stored.isLoading ? [] : productsToLookUp(order, stored.data?.order, language);
  const products = useQuery({
    queryKey: [useScope().organizationId, 'getProduct', 'names', language, ids],
    queryFn: () => readProductNames(api, ids, language),
    enabled: useMay()('read:Products') && ids.length > 0,
    staleTime: STALE_AFTER_MS,
  });
  return lineNames(order, isArabic ? stored.data?.order : undefined, language, products.data);
}

/** The same for a paper, which is complete before it is shown. */
export async function readLineNames(
  api: Dukkan,
  order: Order,
  language: Language,
  mayReadProducts: boolean,
): Promise<string[]> {
  const stored = language === 'ar' ? (await api.call('getOrder', { path: { id: order.id } })).order : undefined;
  const ids = mayReadProducts ? productsToLookUp(order, stored, language) : [];
  return lineNames(order, stored, language, await readProductNames(api, ids, language));
}

async function readProductNames(api: Dukkan, ids: readonly string[], language: Language): Promise<ProductNames> {
  const found = await Promise.all(
    // A product may be gone, or outside of the branches of the account.
    ids.map((ivId) => api.call('getProduct', { path: { ivId } }).catch(() => undefined)),
  );
  const named = found.flatMap((one) => (one === undefined ? [] : [[one.iv_id, one[`name_${language}`] ?? '']]));
  return Object.fromEntries(named);
}
