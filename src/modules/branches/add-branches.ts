import { addToTotal, type Tx } from '../../platform/database/index.ts';
import { findBranchClashes, generateForBranches } from '../skus/index.ts';
import { insertBranches, type NewBranch } from './sql/branches.ts';

export type Added = {
  skusGenerated: number;
  /** By iv_id, the SKU iv_id that another pair spells already. */
  clashes: Map<string, string>;
};

/** Adds branches with their SKUs; those whose SKUs would take another's iv_id are left out. Needs the matrix lock. */
export async function addBranches(
  tx: Tx,
  organizationId: string,
  branches: readonly NewBranch[],
  now: Date,
): Promise<Added> {
  if (branches.length === 0) return { skusGenerated: 0, clashes: new Map() };
  const found = await findBranchClashes(
    tx,
    organizationId,
    branches.map((branch) => branch.iv_id),
  );
  const clashes = new Map(found.map(({ newIvId, skuIvId }) => [newIvId, skuIvId]));
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
