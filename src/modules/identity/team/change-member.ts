import type { Tx } from '../../../platform/database/index.ts';
import { updatedAfter } from '../../../platform/http/preconditions.ts';
import { recordAudit } from '../../audit/index.ts';
import { getConfiningBranch } from '../confining-branch.ts';
import type { Role } from '../permissions.ts';
import { endOwnPasswordResets } from '../sql/password-resets.ts';
import { type MemberRow, type StandingRow, updateStanding } from '../sql/team.ts';
import { requireOwnerLeft } from './require-owner-left.ts';
import { lockTeam, requireMayGive, requireMayTouch, type TeamAuthor } from './team-author.ts';
import { getMember, standingOf } from './team-member.ts';

/** What is absent stays. Null for the branch frees from it. */
export type MemberChange = {
  role?: Role;
  branchIvId?: string | null;
  grantsAdded?: readonly string[];
  grantsWithheld?: readonly string[];
  /** Throws if the row is not the version that the caller has read. */
  checkVersion?: (row: MemberRow) => void;
};

/** Members and invitations alike. Gives the row as it is then. */
export async function changeMember(
  tx: Tx,
  organizationId: string,
  by: TeamAuthor,
  id: string,
  change: MemberChange,
  now: Date,
): Promise<MemberRow> {
  await lockTeam(tx, organizationId, by);
  const before = await getMember(tx, organizationId, id, now);
  change.checkVersion?.(before);
  const after: StandingRow = {
    role: change.role ?? before.role,
    branch_id:
      change.branchIvId === undefined
        ? before.branch_id
        : ((await getConfiningBranch(tx, organizationId, change.branchIvId))?.id ?? null),
    grants_added: [...new Set(change.grantsAdded ?? before.grants_added)],
    grants_withheld: [...new Set(change.grantsWithheld ?? before.grants_withheld)],
  };
  requireMayTouch(by, before);
  requireMayGive(by, standingOf(before), standingOf(after));
  await requireOwnerLeft(tx, organizationId, before, after);

  const changedFields = changesBetween(before, after);
  if (changedFields.length === 0) return before;
  await updateStanding(tx, organizationId, before, after, updatedAfter(before.updated, now));
  // A link for the rights of before could be used by its maker to gain these.
  if (before.user_id !== null) await endOwnPasswordResets(tx, organizationId, before.user_id, now);
  const entry = { action: 'update', resource: 'Settings', resourceId: before.id, changedFields };
  await recordAudit(tx, organizationId, by.actor, [entry], now);
  return getMember(tx, organizationId, before.id, now);
}

function changesBetween(before: StandingRow, after: StandingRow): string[] {
  const isOther = (some: readonly string[], others: readonly string[]) =>
    JSON.stringify(some.toSorted()) !== JSON.stringify(others.toSorted());
  const changes = {
    role: before.role !== after.role,
    branch_iv_id: before.branch_id !== after.branch_id,
    grants_added: isOther(before.grants_added, after.grants_added),
    grants_withheld: isOther(before.grants_withheld, after.grants_withheld),
  };
  return Object.entries(changes).flatMap(([field, isChanged]) => (isChanged ? [field] : []));
}
