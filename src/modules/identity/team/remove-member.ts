import type { Tx } from '../../../platform/database/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { endInvitation } from '../sql/invitations.ts';
import { deleteMembership, type MemberRow } from '../sql/team.ts';
import { requireOwnerLeft } from './require-owner-left.ts';
import { lockTeam, requireMayTouch, type TeamAuthor } from './team-author.ts';
import { getMember } from './team-member.ts';

/** The account stays, with whatever else it belongs to. An invitation is withdrawn. Gives the row that is gone. */
export async function removeMember(
  tx: Tx,
  organizationId: string,
  by: TeamAuthor,
  id: string,
  now: Date,
): Promise<MemberRow> {
  await lockTeam(tx, organizationId, by);
  const member = await getMember(tx, organizationId, id, now);
  requireMayTouch(by, member);
  await requireOwnerLeft(tx, organizationId, member);

  if (member.user_id === null) await endInvitation(tx, organizationId, member.id, now);
  else await deleteMembership(tx, organizationId, { id: member.id, userId: member.user_id, now });
  const entry = { action: 'delete', resource: 'Settings', resourceId: member.id };
  await recordAudit(tx, organizationId, by.actor, [entry], now);
  return member;
}
