import { useWords } from '../../../i18n/index.ts';
import { ifMatch, saveFields, useApi, useReadAgain } from '../../../platform/index.ts';
import { useConflictChoice } from '../../../ui/conflict/index.ts';
import type { GroupKind } from '../group-picker.tsx';
import type { Group, Names } from './group-calls.ts';
import { groupsWords } from './words.ts';

/** Renames a brand or category. A replacement has both names: the unchanged one is that of the latest version. */
export function useRenameGroup(kind: GroupKind) {
  const t = useWords(groupsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const { choose, dialog } = useConflictChoice((field) => t(field === 'name_ar' ? 'name_ar' : 'name_en'));
  async function rename(group: Group, change: Partial<Names>): Promise<void> {
    await saveFields({
      base: group,
      change,
      choose,
      send: async (names, latest) => {
        const body = { name_en: latest.name_en, name_ar: latest.name_ar, ...names };
        const given = { path: { id: group.id }, body, headers: ifMatch(latest) };
        const answer = kind === 'brand' ? api.call('replaceBrand', given) : api.call('replaceCategory', given);
        return (await answer).data;
      },
    });
    await (kind === 'brand' ? readAgain('listBrands', 'getBrand') : readAgain('listCategories', 'getCategory'));
  }
  return { rename, dialog };
}
