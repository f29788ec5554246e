import type { Tx } from '../../../platform/database/index.ts';

export type ConfiningBranch = { id: string; ivId: string };

/** Held against being deleted until what is confined to it is written. */
export async function lockBranch(tx: Tx, organizationId: string, ivId: string): Promise<ConfiningBranch | undefined> {
  const [row] = await tx<{ id: string; iv_id: string }[]>`
    select id, iv_id from branches where organization_id = ${organizationId} and iv_id = ${ivId} for key share`;
  return row && { id: row.id, ivId: row.iv_id };
}
