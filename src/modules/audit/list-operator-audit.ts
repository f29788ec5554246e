import type { Sql } from '../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../platform/http/paging.ts';
import {
  countEntriesOfOperators,
  listEntriesOfOperators,
  type OperatorAuditFilter,
  type OperatorAuditRow,
} from './sql/operators.ts';

/** Rows that a statement of the normal priority class may skip or count: a few milliseconds. */
const MAX_QUICK_ROWS = 5_000;

/** Actions of operator accounts on any organization. They are few, so the total is counted, in one index. */
export async function listOperatorAudit(
  sql: Sql,
  filter: OperatorAuditFilter,
  paging: Paging,
): Promise<{ rows: OperatorAuditRow[]; total: number }> {
  const few = await countEntriesOfOperators(sql, filter, MAX_QUICK_ROWS + 1);
  const total = few <= MAX_QUICK_ROWS ? few : await countEntriesOfOperators(sql.expensive, filter, null);
  const skip = offsetOf(paging);
  if (skip >= total) return { rows: [], total };
  const pool = skip <= MAX_QUICK_ROWS ? sql : sql.expensive;
  return { rows: await listEntriesOfOperators(pool, filter, { skip, take: paging.limit }), total };
}
