import { addToTotal, type Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { abandonFiles } from '../files/index.ts';
import { countOfBranch, lockMatrixForBranches, removeOfBranch } from '../skus/index.ts';
import { branchDeleted } from './audit-branches.ts';
import { type BranchKey, deleteBranch, lockBranch } from './sql/branches.ts';
import { branchNotFound, imageKeys } from './update-branch.ts';

/** Returns the files that go with it, to be removed after the commit. */
export async function removeBranch(
  tx: Tx,
  key: BranchKey,
  options: { force: boolean },
  actor: Actor,
  now: Date,
): Promise<string[]> {
  await lockMatrixForBranches(tx, key.organizationId);
  const branch = await lockBranch(tx, key);
  if (branch === undefined) throw branchNotFound(key.ivId);
  if (options.force) {
    await removeOfBranch(tx, key.organizationId, branch.id);
  } else {
    const skus = await countOfBranch(tx, key.organizationId, branch.id);
    if (skus > 0) throw conflict('Branch has SKUs', { iv_id: key.ivId, skus });
  }
  await deleteBranch(tx, key.organizationId, branch.id);
  await addToTotal(tx, key.organizationId, 'branches', -1);
  const files = imageKeys(branch);
  await abandonFiles(tx, files, now);
  await recordAudit(tx, key.organizationId, actor, [branchDeleted(branch.id)], now);
  return files;
}
