import type { Tx } from '../../platform/database/index.ts';
import { type BulkOutcome, createBulkTally, errorsInWords, itemName } from '../../platform/http/bulk-tally.ts';
import { notFound } from '../../platform/http/problem.ts';
import { compileItemValidator } from '../../platform/http/validation.ts';
import { type Actor, type Author, recordAudit, updateEntries } from '../audit/index.ts';
import { SkuBulkItem, type SkuBulkItemShape, type SkuChange } from './schema.ts';
import { findSku, lockSkus, type SkuRow, type SkuScope, type SkuState, updateSkus } from './sql/skus.ts';

const FIELDS = ['price', 'current_qty', 'reorder_threshold', 'buffer', 'is_enabled'] as const;

const checkItem = compileItemValidator(SkuBulkItem);

export async function changeSku(
  tx: Tx,
  scope: SkuScope,
  ivId: string,
  change: SkuChange,
  actor: Actor,
  now: Date,
): Promise<SkuRow> {
  const wanted = onlyChanges(change);
  const found = Object.keys(wanted).length > 0 ? await lockSkus(tx, scope, [ivId]) : new Map();
  if (found.size > 0) await applyChanges(tx, scope.organizationId, found, new Map([[ivId, wanted]]), actor, now);
  const row = await findSku(tx, scope, ivId);
  if (row === undefined) throw skuNotFound(ivId);
  return row;
}

export const skuNotFound = (ivId: string) => notFound('SKU not found', { iv_id: ivId });

/**
 * Changes what can be changed and reports the rest item by item; `faults` has what is wrong with items already, by their
 * places. An iv_id that comes twice is applied as if sent one after the other: the last wins, field by field.
 */
export async function changeSkus(
  tx: Tx,
  scope: SkuScope,
  items: readonly unknown[],
  author: Author,
  now: Date,
  faults: ReadonlyMap<number, string> = new Map(),
): Promise<BulkOutcome> {
  const tally = createBulkTally();
  const wanted = new Map<string, SkuChange>();
  const asked = new Map<string, number>();
  items.forEach((item, index) => {
    const wrong = checkItem(item);
    const fault = faults.get(index) ?? (wrong && errorsInWords(wrong));
    if (fault !== undefined) {
      tally.fail(itemName(item, 'iv_id', index), fault);
      return;
    }
    const { iv_id: ivId, ...change } = item as SkuBulkItemShape;
    wanted.set(ivId, { ...wanted.get(ivId), ...onlyChanges(change) });
    asked.set(ivId, (asked.get(ivId) ?? 0) + 1);
  });

  const found = await lockSkus(tx, scope, [...wanted.keys()]);
  for (const [ivId, count] of asked) if (!found.has(ivId)) tally.fail(ivId, 'SKU not found', count);
  const changes = [...wanted].filter(([ivId, change]) => found.has(ivId) && Object.keys(change).length > 0);
  if (changes.length > 0) await applyChanges(tx, scope.organizationId, found, new Map(changes), author, now);
  return tally.outcome(items.length);
}

async function applyChanges(
  tx: Tx,
  organizationId: string,
  found: ReadonlyMap<string, SkuState>,
  changes: ReadonlyMap<string, SkuChange>,
  author: Author,
  now: Date,
): Promise<void> {
  await updateSkus(tx, organizationId, changes, now);
  const states = [...changes].flatMap(([ivId, change]) => {
    const before = found.get(ivId);
    return before === undefined ? [] : [{ id: before.id, before, after: { ...before, ...change } }];
  });
  await recordAudit(tx, organizationId, author, updateEntries<SkuState>('Products', FIELDS, states), now);
}

/** Without the fields that a SKU does not have, so that a body of nothing else changes nothing. */
function onlyChanges(change: SkuChange): SkuChange {
  return Object.fromEntries(
    FIELDS.filter((field) => change[field] !== undefined).map((field) => [field, change[field]]),
  );
}
