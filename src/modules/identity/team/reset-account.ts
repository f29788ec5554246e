import type { Tx } from '../../../platform/database/index.ts';
import { conflict, type Problem } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { newOpaqueToken } from '../opaque-tokens.ts';
import { claimUnverifiedUser, endTokens } from '../sql/accounts.ts';
import { endExpiredInvitation, insertInvitation } from '../sql/invitations.ts';
import { endPasswordResets } from '../sql/password-resets.ts';
import { dropSecondFactor } from '../sql/second-factors.ts';
import { deleteMembership, findTeamAddress, listMembershipsOf, type MembershipRow } from '../sql/team.ts';

type Person = { userId: string; email: string; name: string; passwordHash: string };

/**
 * Gives an account that was never verified to the holder of an operator's link: new password and name; logins, session
 * tokens, second factor and links for a new password end. The account is held from here on. Returns its memberships, which
 * `returnMemberships` turns into invitations once their organizations are locked.
 */
export async function claimAccount(tx: Tx, person: Person, now: Date): Promise<MembershipRow[]> {
  const { userId } = person;
  if (!(await claimUnverifiedUser(tx, userId, { ...person, now }))) throw accountChanged();
  await endTokens(tx, userId, now);
  await dropSecondFactor(tx, userId);
  await endPasswordResets(tx, userId, now);
  return listMembershipsOf(tx, userId);
}

/**
 * Memberships of the former holder are not kept: the person who made them knew a password that the address's owner never chose, and
 * the oldest one would be the organization in which later logins begin. They are not dropped silently either: each becomes a
 * pending invitation with the same role, branch and grants. Its link is not shown, so the organization's owner
 * invites again, and the person accepts with the new password.
 */
export async function returnMemberships(
  tx: Tx,
  memberships: readonly MembershipRow[],
  { userId, email }: Person,
  { expiresAt, now }: { expiresAt: Date; now: Date },
): Promise<void> {
  for (const { organization_id: organizationId, id, ...standing } of memberships) {
    await deleteMembership(tx, organizationId, { id, userId, now });
    await endExpiredInvitation(tx, organizationId, email, now);
    if ((await findTeamAddress(tx, organizationId, email, now)) !== undefined) continue;
    const { hash } = newOpaqueToken('invitation');
    const invitation = { ...standing, id: newId(), email, byOperator: false, hash, expiresAt, now };
    await insertInvitation(tx, organizationId, invitation);
  }
}

export function accountChanged(): Problem {
  return conflict('Account was changed meanwhile', { email: 'its account was changed by another request; try again' });
}
