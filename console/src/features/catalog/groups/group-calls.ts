import type { Schemas } from '@dukkan/sdk';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import type { GroupKind } from '../group-picker.tsx';

export type Group = Schemas['Brand'];
export type Names = { name_en: string; name_ar: string };

/** Brands and categories have the same operations under different names. */
export function useGroupCalls(kind: GroupKind) {
  const api = useApi();
  const readAgain = useReadAgain();
  const again = () =>
    kind === 'brand' ? readAgain('listBrands', 'getBrand') : readAgain('listCategories', 'getCategory');
  return {
    async create(body: Names): Promise<void> {
      await (kind === 'brand' ? api.call('createBrand', { body }) : api.call('createCategory', { body }));
      await again();
    },
    async remove({ id }: Group): Promise<void> {
      const given = { path: { id } };
      await (kind === 'brand' ? api.call('deleteBrand', given) : api.call('deleteCategory', given));
      await again();
    },
  };
}
