import { useLanguage, useName } from '../i18n/index.ts';
import { useMay, useRead } from '../platform/index.ts';

const STALE_AFTER_MS = 300_000;
const MOST_BRANCHES = 100;

/** The branches that the account may read, with names in the current language. */
export const useBranchList = () => useBranches(true).list;

function useBranches(isEnabled: boolean) {
  const may = useMay();
  const name = useName();
  const { data, isLoading } = useRead(
    'listBranches',
    { query: { limit: MOST_BRANCHES, sort: 'name_en' } },
    { enabled: isEnabled && may('read:Branches'), staleTime: STALE_AFTER_MS },
  );
  return {
    list: (data?.data ?? []).map((branch) => ({ id: branch.id, ivId: branch.iv_id, name: name(branch) })),
    isLoading,
  };
}

/** Names for codes: records that outlive a branch, such as fees, know it by its code alone. */
export function useBranchNameOfCode(): (ivId: string) => string {
  const list = useBranchList();
  return (ivId) => list.find((one) => one.ivId === ivId)?.name || ivId;
}

/**
 * The name of an order's branch. An order stores one name, in English where there is one; the Arabic one is looked up by the branch's
 * id, and the name is empty until then. A branch that is deleted or not readable keeps the stored name.
 */
export function useBranchName(): (branch: {
  id: string | null;
  name: string | null;
  reference: string | null;
}) => string | null {
  const isArabic = useLanguage() === 'ar';
  const { list, isLoading } = useBranches(isArabic);
  return ({ id, name, reference }) => {
    if (isLoading && id !== null) return '';
    return (isArabic ? list.find((one) => one.id === id)?.name : undefined) ?? name ?? reference;
  };
}
