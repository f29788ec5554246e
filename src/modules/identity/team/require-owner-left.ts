import type { Tx } from '../../../platform/database/index.ts';
import { conflict, type Problem } from '../../../platform/http/problem.ts';
import { GRANTS } from '../permissions.ts';
import { countOtherOwners, type MemberRow, type StandingRow } from '../sql/team.ts';

const SETTINGS_GRANTS = GRANTS.filter((grant) => grant.endsWith(':Settings'));

/**
 * One owner must remain who can undo any change: an owner of the whole organization from whom nothing
 * of its settings is withheld. Without `after` the member goes.
 */
export async function requireOwnerLeft(
  tx: Tx,
  organizationId: string,
  before: MemberRow,
  after?: StandingRow,
): Promise<void> {
  if (before.status !== 'active' || before.role !== 'owner') return;
  const remainsOwner = after !== undefined && after.role === 'owner';
  if (remainsOwner && (isInCharge(after) || !isInCharge(before))) return;
  if ((await countOtherOwners(tx, organizationId, before.id, SETTINGS_GRANTS)) > 0) return;
  throw lastOwner(before.id);
}

function isInCharge({ role, branch_id, grants_withheld }: StandingRow): boolean {
  return (
    role === 'owner' &&
    branch_id === null &&
    !grants_withheld.some((grant) => SETTINGS_GRANTS.some((own) => own === grant))
  );
}

export function lastOwner(id: string): Problem {
  return conflict('The last owner can be neither removed nor demoted nor confined', { id });
}
