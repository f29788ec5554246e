import type { CallArguments, Schemas } from '@dukkan/sdk';
import { useWords } from '../../i18n/index.ts';
import { currentVersion, ifMatch, saveFields, useApi, useReadAgain } from '../../platform/index.ts';
import { useConflictChoice } from '../../ui/conflict/index.ts';
import { branchesWords } from './words.ts';

type Branch = Schemas['Branch'];
type Change = NonNullable<CallArguments<'updateBranch'>['body']>;
type Fields = Exclude<Change, FormData>;

const LABELS = {
  name_ar: 'nameAr',
  name_en: 'nameEn',
  email: 'email',
  status: 'status',
  active: 'active',
  location: 'place',
  time_zone: 'timeZone',
  google_maps_id: 'googleMaps',
  apple_maps_id: 'appleMaps',
} as const;

/** Changes fields of a branch. If another user has changed the same field, `dialog` asks which value is to stay. */
export function useChangeBranch(branch: Branch) {
  const t = useWords(branchesWords);
  const save = useSaveBranch(branch.iv_id);
  const { choose, dialog } = useConflictChoice(
    (field) => (field in LABELS ? t(LABELS[field as keyof typeof LABELS]) : field),
    (_field, value) => placeIn(value),
  );
  const change = (fields: Fields) => saveFields({ base: branch, change: fields, choose, send: save });
  return { change, dialog };
}

/** A change that is derived from the latest version, such as one more photo: repeated until no other change comes between. */
export function useChangeLatest(branch: Branch): (changeOf: (latest: Branch) => Change) => Promise<Branch> {
  const save = useSaveBranch(branch.iv_id);
  return async (changeOf) => {
    for (let latest = branch; ; ) {
      try {
        return await save(changeOf(latest), latest);
      } catch (error) {
        const current = currentVersion<Branch>(error);
        if (current === undefined) throw error;
        latest = current;
      }
    }
  };
}

function useSaveBranch(ivId: string): (change: Change, latest: Branch) => Promise<Branch> {
  const api = useApi();
  const readAgain = useReadAgain();
  return async (body, latest) => {
    const { data } = await api.call('updateBranch', { path: { ivId }, body, headers: ifMatch(latest) });
    await readAgain('getBranch', 'listBranches');
    return data;
  };
}

function placeIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('lat' in value)) return undefined;
  const { lat, lon, city } = value as { lat: number; lon: number; city?: string };
  return [city, `${lat}, ${lon}`].filter(Boolean).join(' · ');
}
