import type { Tx } from '../../../platform/database/index.ts';
import { conflict, type Problem } from '../../../platform/http/problem.ts';
import { createPasswordReset } from '../passwords/reset-password.ts';
import { lockUsers } from '../sql/password-resets.ts';
import { listMembershipsOf } from '../sql/team.ts';
import { lockTeam, requireMayGive, requireMayTouch, type TeamAuthor } from './team-author.ts';
import { getMember, standingOf } from './team-member.ts';

/**
 * A link by which a member chooses a new password, made by an owner of the organization. The owner could use it in the member's
 * place, so it opens nothing that the owner does not hold: not an account of another organization too, nor one with more
 * rights. The member's second factor stays. Users are locked before the organization, and in the order of their ids, as everywhere.
 */
export async function createMemberReset(
  tx: Tx,
  organizationId: string,
  by: TeamAuthor,
  id: string,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const { user_id: userId } = await getMember(tx, organizationId, id, now);
  if (userId === null) throw stillInvited(id);
  if (userId === by.actor.id) throw ownAccount(id);
  await lockUsers(tx, [userId, by.actor.id]);
  await lockTeam(tx, organizationId, by);
  const member = await getMember(tx, organizationId, id, now);
  requireMayTouch(by, member);
  requireMayGive(by, undefined, standingOf(member));
  if ((await listMembershipsOf(tx, userId)).length > 1) throw memberElsewhere(id);
  return createPasswordReset(tx, by.actor, { userId, organizationId }, now);
}

export function stillInvited(id: string): Problem {
  return conflict('The invitation was not accepted yet', { id }).named('invitation-pending');
}

/** `POST /auth/password` requires the current password: a stolen session must not get around that. */
export function ownAccount(id: string): Problem {
  return conflict('Change your own password with POST /auth/password', { id }).named('own-account');
}

export function memberElsewhere(id: string): Problem {
  return conflict('The account belongs to another organization too: ask the operator of the service for a link', {
    id,
  }).named('member-of-another-organization');
}
