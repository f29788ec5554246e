import type { Tx } from '../../../platform/database/index.ts';
import { conflict, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { getConfiningBranch } from '../confining-branch.ts';
import { newOpaqueToken } from '../opaque-tokens.ts';
import type { Role } from '../permissions.ts';
import { findUserByEmail, listOrganizationsOf } from '../sql/accounts.ts';
import { endExpiredInvitation, insertInvitation } from '../sql/invitations.ts';
import { countTeam, findTeamAddress, type MemberRow } from '../sql/team.ts';
import { lockTeam, requireMayGive, type TeamAuthor } from './team-author.ts';
import { getMember, standingOf } from './team-member.ts';

export const INVITATION_DAYS = 7;
export const invitationExpiry = (now: Date) => new Date(now.getTime() + INVITATION_DAYS * 86_400_000);
/** Members and invitations that may still be accepted. */
export const MAX_TEAM = 1_000;

export type NewMember = {
  email: string;
  role: Role;
  branchIvId: string | null;
  grantsAdded: readonly string[];
  grantsWithheld: readonly string[];
};

/** What accepting an operator's invitation does to an account that was never verified, as things stand when it is made. */
export type AccountReset = { resetsAccount: boolean; affectedOrganizations: string[] };

/** The token is in the answer of this call alone; only its hash is kept. No e-mail is sent: the author hands over the link. */
export async function inviteMember(
  tx: Tx,
  organizationId: string,
  by: TeamAuthor,
  member: NewMember,
  now: Date,
): Promise<{ row: MemberRow; token: string; reset: AccountReset }> {
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
  const byOperator = by.membership === undefined;
  const reset = byOperator ? await foreseeReset(tx, email) : NO_RESET;
  if ((await countTeam(tx, organizationId, now)) >= MAX_TEAM) throw conflict('Too many members', { limit: MAX_TEAM });

  const id = newId();
  const { token, hash } = newOpaqueToken('invitation');
  const expiresAt = invitationExpiry(now);
  await endExpiredInvitation(tx, organizationId, email, now);
  await insertInvitation(tx, organizationId, {
    ...standing,
    branch_id: branch?.id ?? null,
    id,
    email,
    byOperator,
    hash,
    expiresAt,
    now,
  });
  const entry = { action: 'create', resource: 'Settings', resourceId: id };
  await recordAudit(tx, organizationId, by.actor, [entry], now);
  return { row: await getMember(tx, organizationId, id, now), token, reset };
}

async function requireFreeAddress(tx: Tx, organizationId: string, email: string, now: Date): Promise<void> {
  const status = await findTeamAddress(tx, organizationId, email, now);
  if (status === 'active') throw conflict('Already a member', { email });
  if (status === 'invited') throw conflict('Already invited', { email });
}

const NO_RESET: AccountReset = { resetsAccount: false, affectedOrganizations: [] };

/**
 * For operators only. A merchant is answered the same whether the address has an account, of whatever kind, or none: an
 * invitation of an operator's address is refused when it is accepted.
 */
async function foreseeReset(tx: Tx, email: string): Promise<AccountReset> {
  const account = await findUserByEmail(tx, email);
  if (account === undefined) return NO_RESET;
  if (account.operator_type === 'Commercial') {
    throw unprocessable({ email: 'is an account of the operator, which joins no organization' });
  }
  if (account.verified_at !== null) return NO_RESET;
  return { resetsAccount: true, affectedOrganizations: await listOrganizationsOf(tx, account.id) };
}
