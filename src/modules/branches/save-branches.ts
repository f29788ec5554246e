import type { Tx } from '../../platform/database/index.ts';
import {
  type BulkOutcome,
  type BulkTally,
  createBulkTally,
  errorsInWords,
  itemName,
} from '../../platform/http/bulk-tally.ts';
import { type Author, recordAudit } from '../audit/index.ts';
import { lockMatrixForBranches } from '../skus/index.ts';
import { addBranches } from './add-branches.ts';
import { branchCreated, branchesUpdated } from './audit-branches.ts';
import { newBranch } from './create-branch.ts';
import type { BranchPatch } from './fields.ts';
import { readNewBranch } from './read-branch.ts';
import type { BulkMode } from './schema.ts';
import { type BranchRow, lockBranches, type NewBranch, updateBranches } from './sql/branches.ts';

/** One branch as the whole request wants it; `items` of the request stand behind it. */
type Wanted = { ivId: string; patch: BranchPatch; items: number };

/**
 * Saves what can be saved and reports the rest item by item; `faults` has what is wrong with items already, by their
 * places. Images are not part of it: a branch keeps those it has. Each step is one statement for the whole batch.
 */
export async function saveBranches(
  tx: Tx,
  organizationId: string,
  mode: BulkMode,
  items: readonly unknown[],
  author: Author,
  now: Date,
  faults: ReadonlyMap<number, string> = new Map(),
): Promise<BulkOutcome> {
  const tally = createBulkTally();
  const wanted = collectItems(mode, items, faults, tally);

  if (mode !== 'update') await lockMatrixForBranches(tx, organizationId);
  const rows = await lockBranches(tx, organizationId, [...wanted.keys()]);
  const existing = new Map(rows.map((row) => [row.iv_id, row]));

  const toAdd: NewBranch[] = [];
  const toUpdate: { id: string; before: BranchRow; after: BranchRow }[] = [];
  for (const { ivId, patch, items: count } of wanted.values()) {
    const row = existing.get(ivId);
    if (row === undefined && mode === 'update') tally.fail(ivId, 'Branch not found', count);
    else if (row === undefined) toAdd.push(newBranch(ivId, patch));
    else if (mode === 'create') tally.fail(ivId, 'Branch iv_id already exists', count);
    else toUpdate.push({ id: row.id, before: row, after: { ...row, ...patch } });
  }

  const { clashes } = await addBranches(tx, organizationId, toAdd, now);
  for (const [ivId, skuIvId] of clashes) {
    tally.fail(ivId, `SKU iv_id already exists: ${skuIvId}`, wanted.get(ivId)?.items ?? 1);
  }
  if (toUpdate.length > 0) {
    const rows = toUpdate.map(({ after }) => after);
    await updateBranches(tx, organizationId, rows, now);
  }
  const added = toAdd.filter(({ iv_id }) => !clashes.has(iv_id));
  const entries = [...added.map(({ id }) => branchCreated(id)), ...branchesUpdated(toUpdate)];
  await recordAudit(tx, organizationId, author, entries, now);
  return tally.outcome(items.length);
}

/**
 * An iv_id that comes twice: when creating, the second fails; otherwise both are applied as if sent one after the other,
 * so the last wins field by field.
 */
function collectItems(
  mode: BulkMode,
  items: readonly unknown[],
  faults: ReadonlyMap<number, string>,
  tally: BulkTally,
): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  items.forEach((item, index) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      tally.fail(`#${index}`, 'must be an object');
      return;
    }
    const body = item as Record<string, unknown>;
    const { ivId, patch, errors } = readNewBranch(body);
    const fault = faults.get(index) ?? (Object.keys(errors).length > 0 ? errorsInWords(errors) : undefined);
    if (fault !== undefined) {
      tally.fail(itemName(body, 'iv_id', index), fault);
      return;
    }
    const earlier = wanted.get(ivId);
    if (earlier !== undefined && mode === 'create') tally.fail(ivId, 'Duplicate iv_id in this request');
    else if (earlier !== undefined) {
      wanted.set(ivId, { ivId, patch: { ...earlier.patch, ...patch }, items: earlier.items + 1 });
    } else wanted.set(ivId, { ivId, patch, items: 1 });
  });
  return wanted;
}
