import { useQuery } from '@tanstack/react-query';
import { useApi, useMay, useScope } from '../../../platform/index.ts';
import { STANDARD_PERCENT } from './amounts.ts';
import { amountFieldsOf, linesOf, type PercentOf, type StoredOrder, taxModeOf } from './stored-order.ts';

const MAX_LOOKED_UP = 50;

/**
 * The VAT rate of each line: its own, otherwise the catalog's, otherwise the standard one. 0 is also the default of a product, so it means
 * zero-rated only where the VAT of the order agrees with that, and the standard rate elsewhere. Undefined until it is known.
 */
export function useTaxRates(order: StoredOrder): { percentOf: PercentOf; zeroPercent: number } | undefined {
  const api = useApi();
  const may = useMay();
  const unrated = linesOf(order).filter(({ vat_value }) => typeof vat_value !== 'number');
  const ids = [...new Set(unrated.map(({ product_id }) => product_id))].slice(0, MAX_LOOKED_UP);
  const catalog = useQuery({
    queryKey: [useScope().organizationId, 'getProduct', 'rates', ids],
    queryFn: async () => {
      const found = await Promise.all(
        ids.map((ivId) => api.call('getProduct', { path: { ivId } }).catch(() => undefined)),
      );
      return Object.fromEntries(found.flatMap((one) => (one === undefined ? [] : [[one.iv_id, one.vat_value]])));
    },
    enabled: may('read:Products') && ids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (catalog.isLoading) return undefined;
  const rates: Record<string, number> = catalog.data ?? {};
  const withZeroAs =
    (zeroPercent: number): PercentOf =>
    ({ vat_value, product_id }) => {
      const percent = typeof vat_value === 'number' ? vat_value : (rates[product_id] ?? STANDARD_PERCENT);
      return percent === 0 ? zeroPercent : percent;
    };
  const { vat_amount } = amountFieldsOf(order, taxModeOf(order), withZeroAs(0));
  const tolerance = 0.005 * (linesOf(order).length + 2);
  const zeroPercent = Math.abs(vat_amount - order.vat_amount) <= tolerance ? 0 : STANDARD_PERCENT;
  return { percentOf: withZeroAs(zeroPercent), zeroPercent };
}
