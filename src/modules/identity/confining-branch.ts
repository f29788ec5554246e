import type { Tx } from '../../platform/database/index.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import { type ConfiningBranch, lockBranch } from './sql/branches.ts';

/** The branch that a member or key is limited to; none for the whole organization. */
export async function getConfiningBranch(
  tx: Tx,
  organizationId: string,
  ivId: string | null | undefined,
): Promise<ConfiningBranch | undefined> {
  if (ivId === null || ivId === undefined) return undefined;
  const branch = await lockBranch(tx, organizationId, ivId);
  if (branch === undefined) throw unprocessable({ branch_iv_id: 'is not a branch of this organization' });
  return branch;
}
