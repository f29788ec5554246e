import type { Schemas } from '@dukkan/sdk';
import { useLanguage } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';

const STALE_AFTER_MS = 60_000;

/** The name of each line. A canonical order has one name a line; the Arabic one of a sale at the till is in the stored order. */
export function useLineNames({ id, lines }: Schemas['CanonicalOrder']): readonly string[] {
  const isArabic = useLanguage() === 'ar';
  const stored = useRead('getOrder', { path: { id } }, { enabled: isArabic, staleTime: STALE_AFTER_MS });
  const order = stored.data?.order;
  const products: readonly Record<string, unknown>[] =
    isArabic && order !== undefined && 'products' in order && Array.isArray(order.products) ? order.products : [];
  return lines.map(({ name, sku_id, product_id }, index) => {
    const arabic = products[index]?.name_ar;
    return (typeof arabic === 'string' && arabic) || (name ?? sku_id ?? product_id ?? '—');
  });
}
