import { useLanguage, useName } from '../i18n/index.ts';
import { useMay, useRead } from '../platform/index.ts';

const STALE_AFTER_MS = 300_000;
const MOST_BRANCHES = 100;

/** The branches that the account may read, with names in the current language. */
export function useBranchList(isEnabled = true) {
  const may = useMay();
  const name = useName();
  const branches = useRead(
    'listBranches',
    { query: { limit: MOST_BRANCHES, sort: 'name_en' } },
    { enabled: isEnabled && may('read:Branches'), staleTime: STALE_AFTER_MS },
  );
  return (branches.data?.data ?? []).map((branch) => ({ id: branch.id, ivId: branch.iv_id, name: name(branch) }));
}

/**
 * The name of an order's branch. An order stores one name, in English where there is one; the Arabic one is looked up by the branch's
 * id. A branch that is deleted or not readable keeps the stored name.
 */
export function useBranchName(): (branch: {
  id: string | null;
  name: string | null;
  reference: string | null;
}) => string | null {
  const isArabic = useLanguage() === 'ar';
  const branches = useBranchList(isArabic);
  return ({ id, name, reference }) =>
    (isArabic ? branches.find((one) => one.id === id)?.name : undefined) ?? name ?? reference;
}
