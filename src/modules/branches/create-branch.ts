import { isConflictOn, type Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { lockMatrixForBranches } from '../skus/index.ts';
import { addBranches } from './add-branches.ts';
import { branchCreated } from './audit-branches.ts';
import { type BranchImages, type BranchPatch, DEFAULT_FIELDS, NO_IMAGES } from './fields.ts';
import type { NewBranch } from './sql/branches.ts';

export type CreatedBranch = { id: string; iv_id: string; skus_generated: number };

export async function createBranch(
  tx: Tx,
  organizationId: string,
  input: { ivId: string; patch: BranchPatch; images?: BranchImages },
  actor: Actor,
  now: Date,
): Promise<CreatedBranch> {
  const { ivId } = input;
  await lockMatrixForBranches(tx, organizationId);
  const branch = newBranch(ivId, input.patch, input.images);
  const { skusGenerated, clashes } = await addBranches(tx, organizationId, [branch], now).catch((error) => {
    throw isConflictOn(error, 'branches_iv_id') ? conflict('Branch iv_id already exists', { iv_id: ivId }) : error;
  });
  const skuIvId = clashes.get(ivId);
  if (skuIvId !== undefined) throw conflict('SKU iv_id already exists', { iv_id: ivId, sku_iv_id: skuIvId });
  await recordAudit(tx, organizationId, actor, [branchCreated(branch.id)], now);
  return { id: branch.id, iv_id: ivId, skus_generated: skusGenerated };
}

export function newBranch(ivId: string, patch: BranchPatch, images: BranchImages = NO_IMAGES): NewBranch {
  return { id: newId(), iv_id: ivId, ...DEFAULT_FIELDS, ...patch, ...images };
}
