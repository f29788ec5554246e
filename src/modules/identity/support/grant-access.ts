import type { Tx } from '../../../platform/database/index.ts';
import { conflict, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { type AuditEntry, recordAudit } from '../../audit/index.ts';
import { closeExpiredGrant, findOpenGrant, insertGrant, type SupportGrantRow } from '../sql/support-grants.ts';
import { settleRequest } from '../sql/support-requests.ts';
import { lockTeam, type TeamAuthor } from '../team/team-author.ts';
import type { SupportScope } from './policy.ts';
import { getOpenRequest } from './settle-request.ts';

export const GRANT_HOURS = [1, 8, 24, 72] as const;
export type GrantHours = (typeof GRANT_HOURS)[number];

export type NewGrant = {
  scope: SupportScope;
  hours: GrantHours;
  reason: string;
  /** The request that it answers, if any. */
  requestId: string | null;
};

/**
 * Opens the organization to the operator's staff. The organization is locked: of two grants at once one is made and the other is 409.
 */
export async function grantAccess(
  tx: Tx,
  organizationId: string,
  by: TeamAuthor,
  { scope, hours, reason, requestId }: NewGrant,
  now: Date,
): Promise<SupportGrantRow> {
  await lockTeam(tx, organizationId, by);
  const request =
    requestId === null ? undefined : await getOpenRequest(tx, organizationId, requestId, now, unknownRequest());
  await closeExpiredGrant(tx, organizationId, now);
  const open = await findOpenGrant(tx, organizationId, now);
  if (open !== undefined) throw grantOpen(open.id);

  const id = newId();
  await insertGrant(tx, organizationId, {
    id,
    scope,
    reason,
    requestId: request?.id ?? null,
    grantedBy: by.actor.id,
    grantedByName: by.actor.name,
    created: now,
    expiresAt: new Date(now.getTime() + hours * 3_600_000),
  });
  const entries: AuditEntry[] = [
    { action: 'grant-support', resource: 'Settings', resourceId: id, changedFields: ['scope', 'duration_hours'] },
  ];
  if (request !== undefined) {
    await settleRequest(tx, organizationId, request.id, 'allowed', now);
    entries.unshift({ action: 'allow-support-request', resource: 'Settings', resourceId: request.id });
  }
  const granted = await findOpenGrant(tx, organizationId, now);
  if (granted === undefined) throw new Error('a grant that was just made is not open');
  await recordAudit(tx, organizationId, by.actor, entries, now);
  return granted;
}

function unknownRequest(): Problem {
  return unprocessable({ request_id: 'must be an id of a request to this organization' });
}

export function grantOpen(id: string): Problem {
  return conflict('Support access is open already: end it first', { id }).named('support-access-open');
}
