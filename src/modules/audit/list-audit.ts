import type { RememberedTotals, Sql } from '../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../platform/http/paging.ts';
import {
  type AuditFilter,
  type AuditRow,
  countEntries,
  listEntries,
  type Matching,
  readCounts,
  type StoredCount,
} from './sql/list.ts';

/** Rows that a statement of the normal priority class may skip or count: a few milliseconds. */
const MAX_QUICK_ROWS = 5_000;

/**
 * One page with the exact total. Writers maintain the counts by resource and action; matches by actor, record or time are
 * counted in an index, and the count is cached until the next entry. The total makes the last pages as cheap as the first.
 */
export async function listAudit(
  sql: Sql,
  totals: RememberedTotals,
  organizationId: string,
  filter: AuditFilter,
  paging: Paging,
): Promise<{ rows: AuditRow[]; total: number }> {
  const counts = await readCounts(sql, organizationId);
  const words = counts.filter((pair) => pair.total > 0 && isMeant(pair, filter));
  const matching = { organizationId, filter, words };
  const total = await totalOf(sql, totals, matching, counts);
  const offset = offsetOf(paging);
  const take = Math.min(paging.limit, total - offset);
  if (take <= 0) return { rows: [], total };
  const behind = total - offset - take;
  const skip = Math.min(offset, behind);
  const pool = skip <= MAX_QUICK_ROWS ? sql : sql.expensive;
  // The first page is never read from the end: entries recorded after the total was read belong to it.
  return { rows: await listEntries(pool, matching, { skip, take, fromEnd: offset > 0 && behind < offset }), total };
}

function isMeant({ resource, action }: StoredCount, filter: AuditFilter): boolean {
  return (filter.resource ?? resource) === resource && (filter.action ?? action) === action;
}

async function totalOf(
  sql: Sql,
  totals: RememberedTotals,
  matching: Matching,
  counts: readonly StoredCount[],
): Promise<number> {
  const { organizationId, filter, words } = matching;
  const { actorId, resourceId, from, to } = filter;
  if (words.length === 0 || (actorId ?? resourceId ?? from ?? to) === undefined) return sumOf(words, 'total');
  const name = `${organizationId} ${JSON.stringify(filter)}`;
  const changes = sumOf(counts, 'changes');
  const known = totals.find(name, changes);
  if (known !== undefined) return known;
  const few = await countEntries(sql, matching, MAX_QUICK_ROWS + 1);
  const total = few <= MAX_QUICK_ROWS ? few : await countEntries(sql.expensive, matching, null);
  totals.remember(name, changes, total);
  return total;
}

function sumOf(counts: readonly StoredCount[], column: 'total' | 'changes'): number {
  return counts.reduce((sum, count) => sum + count[column], 0);
}
