import type { Tx } from '../../platform/database/index.ts';
import type { FieldErrors } from '../../platform/http/validation.ts';
import { lockMatrixForBranches } from '../skus/index.ts';
import { addBranches } from './add-branches.ts';
import { newBranch } from './create-branch.ts';
import type { BranchPatch } from './fields.ts';
import { readNewBranch } from './read-branch.ts';
import type { BulkMode } from './schema.ts';
import { type BranchRow, lockBranches, type NewBranch, updateBranches } from './sql/branches.ts';

export type BulkOutcome = { succeeded: number; failed: number; errors: Record<string, string> };

/** One branch as the whole request wants it; `items` of the request stand behind it. */
type Wanted = { ivId: string; patch: BranchPatch; items: number };

type Report = { failed: number; errors: Map<string, string> };

// A longer one cannot be an iv_id and would only bloat the answer.
const MAX_ECHOED_CHARACTERS = 255;

/**
 * Saves what can be saved and reports the rest item by item. Images are not part of it: a branch keeps those it has.
 * Each step is one statement for the whole batch.
 */
export async function saveBranches(
  tx: Tx,
  organizationId: string,
  mode: BulkMode,
  items: readonly unknown[],
  now: Date,
): Promise<BulkOutcome> {
  const report: Report = { failed: 0, errors: new Map() };
  const wanted = gather(mode, items, report);

  if (mode !== 'update') await lockMatrixForBranches(tx, organizationId);
  const rows = await lockBranches(tx, organizationId, [...wanted.keys()]);
  const existing = new Map(rows.map((row) => [row.iv_id, row]));

  const toAdd: NewBranch[] = [];
  const toUpdate: BranchRow[] = [];
  for (const { ivId, patch, items: count } of wanted.values()) {
    const row = existing.get(ivId);
    if (row === undefined && mode === 'update') fail(report, ivId, 'Branch not found', count);
    else if (row === undefined) toAdd.push(newBranch(ivId, patch));
    else if (mode === 'create') fail(report, ivId, 'Branch iv_id already exists', count);
    else toUpdate.push({ ...row, ...patch });
  }

  const { clashes } = await addBranches(tx, organizationId, toAdd, now);
  for (const [ivId, skuIvId] of clashes) {
    fail(report, ivId, `SKU iv_id already exists: ${skuIvId}`, wanted.get(ivId)?.items ?? 1);
  }
  if (toUpdate.length > 0) await updateBranches(tx, organizationId, toUpdate, now);
  return {
    succeeded: items.length - report.failed,
    failed: report.failed,
    errors: Object.fromEntries(report.errors),
  };
}

/**
 * An iv_id that comes twice: when creating, the second fails; otherwise both are applied as if sent one after the other,
 * so the last wins field by field.
 */
function gather(mode: BulkMode, items: readonly unknown[], report: Report): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  items.forEach((item, index) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      fail(report, `#${index}`, 'must be an object');
      return;
    }
    const body = item as Record<string, unknown>;
    const { ivId, patch, errors } = readNewBranch(body);
    if (Object.keys(errors).length > 0) {
      fail(report, itemName(body.iv_id, index), inWords(errors));
      return;
    }
    const earlier = wanted.get(ivId);
    if (earlier !== undefined && mode === 'create') fail(report, ivId, 'Duplicate iv_id in this request');
    else if (earlier !== undefined) {
      wanted.set(ivId, { ivId, patch: { ...earlier.patch, ...patch }, items: earlier.items + 1 });
    } else wanted.set(ivId, { ivId, patch, items: 1 });
  });
  return wanted;
}

function itemName(ivId: unknown, index: number): string {
  return typeof ivId === 'string' && ivId !== '' && ivId.length <= MAX_ECHOED_CHARACTERS ? ivId : `#${index}`;
}

function inWords(errors: FieldErrors): string {
  return Object.entries(errors)
    .map(([field, reason]) => `${field} ${reason}`)
    .join('; ');
}

/** Two failures of one name: the first is told, both are counted. */
function fail(report: Report, name: string, message: string, count = 1): void {
  report.failed += count;
  if (!report.errors.has(name)) report.errors.set(name, message);
}
