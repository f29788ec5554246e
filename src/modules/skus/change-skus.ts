import type { Tx } from '../../platform/database/index.ts';
import { notFound } from '../../platform/http/problem.ts';
import { compileItemValidator, type FieldErrors } from '../../platform/http/validation.ts';
import { SkuBulkItem, type SkuBulkItemShape, type SkuChange } from './schema.ts';
import { findSku, lockSkus, type SkuRow, type SkuScope, updateSkus } from './sql/skus.ts';

export type BulkOutcome = { succeeded: number; failed: number; errors: Record<string, string> };

const FIELDS = ['price', 'current_qty', 'reorder_threshold', 'buffer', 'is_enabled'] as const;
// A longer one cannot be an iv_id and would only bloat the answer.
const MAX_ECHOED_CHARACTERS = 255;

const checkItem = compileItemValidator(SkuBulkItem);

export async function changeSku(tx: Tx, scope: SkuScope, ivId: string, change: SkuChange, now: Date): Promise<SkuRow> {
  const wanted = onlyChanges(change);
  if (Object.keys(wanted).length > 0 && (await lockSkus(tx, scope, [ivId])).size > 0) {
    await updateSkus(tx, scope.organizationId, new Map([[ivId, wanted]]), now);
  }
  const row = await findSku(tx, scope, ivId);
  if (row === undefined) throw skuNotFound(ivId);
  return row;
}

export const skuNotFound = (ivId: string) => notFound('SKU not found', { iv_id: ivId });

/**
 * Changes what can be changed and reports the rest item by item. An iv_id that comes twice is applied as if sent one
 * after the other: the last wins, field by field.
 */
export async function changeSkus(tx: Tx, scope: SkuScope, items: readonly unknown[], now: Date): Promise<BulkOutcome> {
  const errors = new Map<string, string>();
  let failed = 0;
  const fail = (name: string, message: string, count = 1) => {
    failed += count;
    if (!errors.has(name)) errors.set(name, message);
  };

  const wanted = new Map<string, SkuChange>();
  const asked = new Map<string, number>();
  items.forEach((item, index) => {
    const wrong = checkItem(item);
    if (wrong !== undefined) {
      fail(nameOf(item, index), inWords(wrong));
      return;
    }
    const { iv_id: ivId, ...change } = item as SkuBulkItemShape;
    wanted.set(ivId, { ...wanted.get(ivId), ...onlyChanges(change) });
    asked.set(ivId, (asked.get(ivId) ?? 0) + 1);
  });

  const found = await lockSkus(tx, scope, [...wanted.keys()]);
  for (const [ivId, count] of asked) if (!found.has(ivId)) fail(ivId, 'SKU not found', count);
  const changes = [...wanted].filter(([ivId, change]) => found.has(ivId) && Object.keys(change).length > 0);
  if (changes.length > 0) await updateSkus(tx, scope.organizationId, new Map(changes), now);
  return { succeeded: items.length - failed, failed, errors: Object.fromEntries(errors) };
}

/** Without the fields that a SKU does not have, so that a body of nothing else changes nothing. */
function onlyChanges(change: SkuChange): SkuChange {
  return Object.fromEntries(
    FIELDS.filter((field) => change[field] !== undefined).map((field) => [field, change[field]]),
  );
}

function nameOf(item: unknown, index: number): string {
  const ivId = typeof item === 'object' && item !== null && 'iv_id' in item ? item.iv_id : undefined;
  return typeof ivId === 'string' && ivId !== '' && ivId.length <= MAX_ECHOED_CHARACTERS ? ivId : `#${index}`;
}

function inWords(errors: FieldErrors): string {
  return Object.entries(errors)
    .map(([field, reason]) => (field === 'body' ? reason : `${field} ${reason}`))
    .join('; ');
}
