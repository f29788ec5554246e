import type { CallArguments, Schemas } from '@dukkan/sdk';
import { useApi, useReadAgain } from '../../platform/index.ts';

type Change = NonNullable<CallArguments<'updateBranch'>['body']>;

/** Changes what is given, and shows it wherever the branch stands. Refusals are the caller's. */
export function useChangeBranch(ivId: string): (change: Change) => Promise<Schemas['Branch']> {
  const api = useApi();
  const readAgain = useReadAgain();
  return async (change) => {
    const { data } = await api.call('updateBranch', { path: { ivId }, body: change });
    await readAgain('getBranch', 'listBranches');
    return data;
  };
}
