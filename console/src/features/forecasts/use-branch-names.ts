import { useName } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';

/** Branches to filter by, with names. Accounts that may not read branches see codes. */
export function useBranchNames() {
  const name = useName();
  const may = useMay();
  const branches = useRead(
    'listBranches',
    { query: { limit: 100, sort: 'name_en' } },
    { enabled: may('read:Branches'), staleTime: 300_000 },
  );
  const list = (branches.data?.data ?? []).map((branch) => ({ value: branch.iv_id, text: name(branch) }));
  const byId = new Map(list.map(({ value, text }) => [value, text]));
  return { list, nameOf: (ivId: string) => byId.get(ivId) ?? ivId };
}
