import { addToTotal, isConflictOn, type Tx } from '../../platform/database/index.ts';
import { findBranchClashes, findClashesAmongBranches, generateForBranches } from '../skus/index.ts';
import { insertBranches, type NewBranch } from './sql.ts';

export type Added = {
  skusGenerated: number;
  /** By iv_id, the SKU iv_id that another pair spells already. */
  clashes: Map<string, string>;
};

/**
 * Adds branches with their SKUs; those whose SKUs would take another's iv_id are left out. Needs the matrix lock.
 *
 * The clash is looked for only after the insert has hit it: asking beforehand costs an index lookup for every product
 * with an underscore in its iv_id, every time, for something that hardly ever happens.
 */
export async function addBranches(
  tx: Tx,
  organizationId: string,
  branches: readonly NewBranch[],
  now: Date,
): Promise<Added> {
  if (branches.length === 0) return { skusGenerated: 0, clashes: new Map() };
  try {
    const skusGenerated = await tx.savepoint((inner) => insertWithSkus(inner, organizationId, branches, now));
    return { skusGenerated, clashes: new Map() };
  } catch (error) {
    if (!isConflictOn(error, 'skus_iv_id')) throw error;
  }
  const clashes = await findClashes(
    tx,
    organizationId,
    branches.map((branch) => branch.iv_id),
  );
  const rest = branches.filter((branch) => !clashes.has(branch.iv_id));
  return { skusGenerated: await insertWithSkus(tx, organizationId, rest, now), clashes };
}

async function insertWithSkus(
  tx: Tx,
  organizationId: string,
  branches: readonly NewBranch[],
  now: Date,
): Promise<number> {
  if (branches.length === 0) return 0;
  await insertBranches(tx, organizationId, branches, now);
  await addToTotal(tx, organizationId, 'branches', branches.length);
  return generateForBranches(
    tx,
    organizationId,
    branches.map((branch) => branch.id),
    now,
  );
}

/** Against what is there already, and among the new ones, where the earlier keeps its place. */
async function findClashes(tx: Tx, organizationId: string, ivIds: string[]): Promise<Map<string, string>> {
  const clashes = new Map<string, string>();
  for (const { newIvId, skuIvId } of await findBranchClashes(tx, organizationId, ivIds)) {
    if (!clashes.has(newIvId)) clashes.set(newIvId, skuIvId);
  }
  const rivals = await findClashesAmongBranches(tx, organizationId, ivIds);
  const accepted = new Set<string>();
  for (const ivId of ivIds) {
    const lost = rivals.find(
      ({ longerIvId, shorterIvId }) =>
        (longerIvId === ivId && accepted.has(shorterIvId)) || (shorterIvId === ivId && accepted.has(longerIvId)),
    );
    if (lost !== undefined && !clashes.has(ivId)) clashes.set(ivId, lost.skuIvId);
    if (!clashes.has(ivId)) accepted.add(ivId);
  }
  return clashes;
}
