import { useBranchList } from '../../ui/branch-names.ts';

/** Branches to filter by, with names. Accounts that may not read branches see codes. */
export function useBranchNames() {
  const list = useBranchList().map(({ ivId, name }) => ({ value: ivId, text: name }));
  const byId = new Map(list.map(({ value, text }) => [value, text]));
  return { list, nameOf: (ivId: string) => byId.get(ivId) ?? ivId };
}
