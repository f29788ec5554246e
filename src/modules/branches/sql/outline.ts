import type { Queryable } from '../../../platform/database/index.ts';

/** A branch as far as its neighbours need to know it. */
export type BranchOutline = { id: string; iv_id: string; active: boolean; city: string | null };

/** Every branch of the organization, in order of iv_id. */
export function listBranchOutlines(sql: Queryable, organizationId: string): Promise<BranchOutline[]> {
  return sql<BranchOutline[]>`
    select id, iv_id, active, city from branches where organization_id = ${organizationId} order by iv_id`;
}
