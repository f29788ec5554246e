import type { Sql } from '../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../platform/http/paging.ts';
import {
  countEntriesOfOperators,
  listEntriesOfOperators,
  type OperatorAuditFilter,
  type OperatorAuditRow,
} from './sql/operators.ts';

/** Rows that a statement outside the expensive lane may step over or count: some milliseconds. */
const MAX_QUICK_ROWS = 5_000;

/** What accounts of the operator did, to whichever organization. They are few people: the total is counted, in one index. */
export async function listOperatorAudit(
  sql: Sql,
  filter: OperatorAuditFilter,
  paging: Paging,
): Promise<{ rows: OperatorAuditRow[]; total: number }> {
  const few = await countEntriesOfOperators(sql, filter, MAX_QUICK_ROWS + 1);
  const total = few <= MAX_QUICK_ROWS ? few : await countEntriesOfOperators(sql.expensive, filter, null);
  const skip = offsetOf(paging);
  if (skip >= total) return { rows: [], total };
  const lane = skip <= MAX_QUICK_ROWS ? sql : sql.expensive;
  return { rows: await listEntriesOfOperators(lane, filter, { skip, take: paging.limit }), total };
}
