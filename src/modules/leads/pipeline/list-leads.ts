import { setImmediate as nextEventLoopTick } from 'node:timers/promises';
import type { Sql } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import {
  countPipelineRows,
  listPipelineRows,
  listPipelineRowsById,
  listSearchTexts,
  type PipelineFilter,
  type PipelineRow,
} from './sql.ts';

/** A search covers this many leads, the newest first: years of contact requests. */
const MAX_SEARCHED = 20_000;
/** Some 10 us each: other requests get their turn every 10 ms. */
const FOLDED_AT_ONCE = 1_000;

/**
 * A search matches here and not in SQL: folding is not available in the database, and what was done there instead
 * missed names with vowel marks, tatweel, ß or two spaces even when they were entered as they are stored.
 */
export async function listLeads(
  sql: Sql,
  filter: PipelineFilter,
  search: string,
  paging: Paging,
): Promise<{ rows: PipelineRow[]; total: number }> {
  const folded = foldForSearch(search);
  if (folded === '') {
    const [rows, total] = await Promise.all([listPipelineRows(sql, filter, paging), countPipelineRows(sql, filter)]);
    return { rows, total };
  }
  const ids = await findMatches(sql, filter, folded);
  const page = ids.slice(offsetOf(paging), offsetOf(paging) + paging.limit);
  return { rows: page.length === 0 ? [] : await listPipelineRowsById(sql, page), total: ids.length };
}

async function findMatches(sql: Sql, filter: PipelineFilter, folded: string): Promise<string[]> {
  const texts = await listSearchTexts(sql.expensive, filter, MAX_SEARCHED);
  const ids: string[] = [];
  for (const [index, { id, text }] of texts.entries()) {
    if (index > 0 && index % FOLDED_AT_ONCE === 0) await nextEventLoopTick();
    if (foldForSearch(text).includes(folded)) ids.push(id);
  }
  return ids;
}
