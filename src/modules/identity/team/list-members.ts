import type { Queryable } from '../../../platform/database/index.ts';
import { offsetOf, type Paging, readPaging, readSort } from '../../../platform/http/paging.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import { countTeam, listTeam, type MemberRow, SORT_COLUMNS } from '../sql/team.ts';

/** More than a team may have. Only the command line can bring together more, and a search then looks at the first. */
const MAX_SEARCHED = 5_000;

/**
 * A search reads the team and looks through it here: names are folded as everywhere, which the database cannot do, and a
 * team is small.
 */
export async function listMembers(
  sql: Queryable,
  organizationId: string,
  query: { page?: number; limit?: number; search?: string; sort?: string },
  now: Date,
): Promise<{ rows: MemberRow[]; total: number; paging: Paging }> {
  const paging = readPaging(query);
  const sort = readSort(query.sort, SORT_COLUMNS, { column: 'created', descending: true });
  const search = foldForSearch(query.search ?? '');
  if (search === '') {
    const [rows, total] = await Promise.all([
      listTeam(sql, organizationId, { sort, paging, now }),
      countTeam(sql, organizationId, now),
    ]);
    return { rows, total, paging };
  }
  const everyone = await listTeam(sql, organizationId, { sort, paging: { page: 1, limit: MAX_SEARCHED }, now });
  const found = everyone.filter(({ email, name }) => foldForSearch(`${email}\n${name}`).includes(search));
  return { rows: found.slice(offsetOf(paging), offsetOf(paging) + paging.limit), total: found.length, paging };
}
