import type { Schemas } from '@dukkan/sdk';
import { useLanguage } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';

type Order = Schemas['CanonicalOrder'];
const STALE_AFTER_MS = 60_000;

/** The name of each line. A canonical order has one name a line; the Arabic one of a sale at the till is in the stored order. */
export function useLineNames(order: Order): readonly string[] {
  const isArabic = useLanguage() === 'ar';
  const stored = useRead('getOrder', { path: { id: order.id } }, { enabled: isArabic, staleTime: STALE_AFTER_MS });
  return lineNames(order, isArabic ? stored.data?.order : undefined);
}

/** In Arabic where the stored order, if given, has it. */
export function lineNames({ lines }: Order, stored: object | undefined): string[] {
  const products: readonly Record<string, unknown>[] =
    stored !== undefined && 'products' in stored && Array.isArray(stored.products) ? stored.products : [];
  return lines.map(({ name, sku_id, product_id }, index) => {
    const arabic = products[index]?.name_ar;
    return (typeof arabic === 'string' && arabic) || (name ?? sku_id ?? product_id ?? '—');
  });
}
