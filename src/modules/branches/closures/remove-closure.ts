import type { Tx } from '../../../platform/database/index.ts';
import { notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type BranchKey, lockBranch } from '../sql/branches.ts';
import { branchNotFound } from '../update-branch.ts';
import { closuresChanged } from './add-closures.ts';
import { deleteClosure, updateClosedDays } from './sql.ts';

export async function removeClosure(tx: Tx, key: BranchKey, id: string, actor: Actor, now: Date): Promise<void> {
  const branch = await lockBranch(tx, key);
  if (branch === undefined) throw branchNotFound(key.ivId);
  const { organizationId } = key;
  if (!isId(id) || !(await deleteClosure(tx, organizationId, branch.id, id))) throw closureNotFound(id);
  await updateClosedDays(tx, organizationId, [branch.id]);
  await recordAudit(tx, organizationId, actor, [closuresChanged(branch.id)], now);
}

export function closureNotFound(id: string): Problem {
  return notFound('Closure not found', { id });
}
