import type { Tx } from '../../../platform/database/index.ts';
import { conflict, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { getConfiningBranch } from '../confining-branch.ts';
import { newOpaqueToken } from '../opaque-tokens.ts';
import type { Role } from '../permissions.ts';
import { findUserByEmail } from '../sql/accounts.ts';
import { endExpiredInvitation, insertInvitation } from '../sql/invitations.ts';
import { countTeam, findTeamAddress, type MemberRow } from '../sql/team.ts';
import { lockTeam, requireMayGive, type TeamAuthor } from './team-author.ts';
import { getMember, standingOf } from './team-member.ts';

export const INVITATION_DAYS = 7;
/** Members and invitations that may still be accepted. */
export const MAX_TEAM = 1_000;

export type NewMember = {
  email: string;
  role: Role;
  branchIvId: string | null;
  grantsAdded: readonly string[];
  grantsWithheld: readonly string[];
};

/** The token is in the answer of this call alone; only its hash is kept. No letter is sent: whoever invites hands over the link. */
export async function inviteMember(
  tx: Tx,
  organizationId: string,
  by: TeamAuthor,
  member: NewMember,
  now: Date,
): Promise<{ row: MemberRow; token: string }> {
  const { email, role } = member;
  const standing = {
    role,
    grants_added: [...new Set(member.grantsAdded)],
    grants_withheld: [...new Set(member.grantsWithheld)],
  };
  requireMayGive(by, undefined, standingOf({ ...standing, branch_id: null }));
  await lockTeam(tx, organizationId, by);
  const branch = await getConfiningBranch(tx, organizationId, member.branchIvId);
  await requireFreeAddress(tx, organizationId, email, now);
  if ((await countTeam(tx, organizationId, now)) >= MAX_TEAM) throw conflict('Too many members', { limit: MAX_TEAM });

  const id = newId();
  const { token, hash } = newOpaqueToken('invitation');
  const expiresAt = new Date(now.getTime() + INVITATION_DAYS * 86_400_000);
  await endExpiredInvitation(tx, organizationId, email, now);
  await insertInvitation(tx, organizationId, {
    ...standing,
    branch_id: branch?.id ?? null,
    id,
    email,
    hash,
    expiresAt,
    now,
  });
  const entry = { action: 'create', resource: 'Settings', resourceId: id };
  await recordAudit(tx, organizationId, by.actor, [entry], now);
  return { row: await getMember(tx, organizationId, id, now), token };
}

async function requireFreeAddress(tx: Tx, organizationId: string, email: string, now: Date): Promise<void> {
  const status = await findTeamAddress(tx, organizationId, email, now);
  if (status === 'active') throw conflict('Already a member', { email });
  if (status === 'invited') throw conflict('Already invited', { email });
  const account = await findUserByEmail(tx, email);
  if (account?.operator_type === 'Commercial') {
    throw unprocessable({ email: 'is an account of the operator, which joins no organization' });
  }
}
