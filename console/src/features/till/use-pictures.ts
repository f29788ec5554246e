import type { Schemas } from '@dukkan/sdk';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../platform/index.ts';

export type Pictures = ReadonlyMap<string, Schemas['Product']['images']>;
const NONE: Pictures = new Map();
const AT_MOST = 50;

/** Images by product for a search of SKUs, which have none of their own: products are found by the same text. */
export function usePictures(text: string, isOn: boolean): Pictures {
  const api = useApi();
  const found = useQuery({
    queryKey: ['till-pictures', text],
    queryFn: async ({ signal }) => {
      const query = { search: text, limit: AT_MOST, sort: 'name_en' };
      const { data } = await api.call('listProducts', { query, signal });
      return new Map(data.map(({ iv_id, images }) => [iv_id, images]));
    },
    enabled: isOn,
    staleTime: 60_000,
  });
  return found.data ?? NONE;
}
