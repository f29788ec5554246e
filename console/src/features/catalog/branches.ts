import type { Schemas } from '@dukkan/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useApi, useOrganization } from '../../platform/index.ts';

export type Branch = Pick<Schemas['Branch'], 'iv_id' | 'name_en' | 'name_ar' | 'active'>;

const PER_PAGE = 100;
const KEPT_MS = 60_000;

/** Every branch that the account sees, sorted by code, so that columns keep their order. */
export function useBranches(): UseQueryResult<Branch[]> {
  const api = useApi();
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, 'listBranches', 'every'],
    staleTime: KEPT_MS,
    queryFn: async ({ signal }) => {
      const found: Branch[] = [];
      for (let page = 1; ; page += 1) {
        const { data, has_next } = await api.call('listBranches', {
          query: { page, limit: PER_PAGE, sort: 'iv_id' },
          signal,
        });
        for (const { iv_id, name_en, name_ar, active } of data) found.push({ iv_id, name_en, name_ar, active });
        if (!has_next) return found;
      }
    },
  });
}
