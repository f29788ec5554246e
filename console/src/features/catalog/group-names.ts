import { useQueries } from '@tanstack/react-query';
import { useName } from '../../i18n/index.ts';
import { useApi, useOrganization, useRead } from '../../platform/index.ts';
import type { GroupKind } from './group-picker.tsx';

type Of = { brand_id: string | null; category_id: string | null };
const KEPT_MS = 300_000;
const AT_ONCE = { query: { limit: 100, sort: 'name_en' } };

/**
 * Names of brands and categories by id. The first hundred are read in one request, which covers most organizations; others
 * are read one by one under the key of `useGroup`, each once.
 */
export function useGroupNames(kind: GroupKind, rows: readonly Of[]): (id: string | null) => string | undefined {
  const api = useApi();
  const name = useName();
  const { id: organizationId } = useOrganization();
  const isBrand = kind === 'brand';
  const brands = useRead('listBrands', AT_ONCE, { staleTime: KEPT_MS, enabled: isBrand });
  const categories = useRead('listCategories', AT_ONCE, { staleTime: KEPT_MS, enabled: !isBrand });
  const first = (isBrand ? brands : categories).data?.data;
  const known = new Map(first?.map((group) => [group.id, group]));
  const ids = [...new Set(rows.flatMap((row) => (isBrand ? row.brand_id : row.category_id) ?? []))];
  const others = first === undefined ? [] : ids.filter((id) => !known.has(id));
  const operation = isBrand ? 'getBrand' : 'getCategory';
  const answers = useQueries({
    queries: others.map((id) => ({
      queryKey: [organizationId, operation, { path: { id } }],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.call(operation, { path: { id }, signal }),
      staleTime: KEPT_MS,
    })),
  });
  return (id) => {
    const found = id === null ? undefined : (known.get(id) ?? answers[others.indexOf(id)]?.data);
    return found === undefined ? undefined : name(found);
  };
}
