import type { Tx } from '../../../platform/database/index.ts';
import { notFound, type Problem } from '../../../platform/http/problem.ts';
import { recordAudit } from '../../audit/index.ts';
import { endOpenGrant } from '../sql/support-grants.ts';
import { lockTeam, type TeamAuthor } from '../team/team-author.ts';

/** Every support token under the open grant is 401 from the commit on: the gate reads the grant with the session. */
export async function endAccess(tx: Tx, organizationId: string, by: TeamAuthor, now: Date): Promise<void> {
  await lockTeam(tx, organizationId, by);
  const id = await endOpenGrant(tx, organizationId, { by: by.actor.name, now });
  if (id === undefined) throw noOpenGrant();
  const entry = { action: 'end-support', resource: 'Settings', resourceId: id, changedFields: ['ended_at'] };
  await recordAudit(tx, organizationId, by.actor, [entry], now);
}

export function noOpenGrant(): Problem {
  return notFound('Support access not found', { grant: 'none is open' });
}
