import type { Sql } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import {
  countFleetOrganizations,
  type FleetOrganization,
  type FleetStatus,
  listFleetOrganizations,
} from '../../identity/index.ts';

/** A search covers this many organizations, the newest first: more than one operator has. */
const MAX_SEARCHED = 20_000;

/** A search reads the names and matches them here: search folding of names is not available in the database. */
export async function listOrganizations(
  sql: Sql,
  filter: { status?: FleetStatus; search?: string },
  paging: Paging,
): Promise<{ rows: FleetOrganization[]; total: number }> {
  const search = foldForSearch(filter.search ?? '');
  if (search === '') {
    const [rows, total] = await Promise.all([
      listFleetOrganizations(sql, filter.status, paging),
      countFleetOrganizations(sql, filter.status),
    ]);
    return { rows, total };
  }
  const all = await listFleetOrganizations(sql.expensive, filter.status, { page: 1, limit: MAX_SEARCHED });
  const found = all.filter((row) => foldForSearch(`${row.name_en}\n${row.name_ar}`).includes(search));
  return { rows: found.slice(offsetOf(paging), offsetOf(paging) + paging.limit), total: found.length };
}
