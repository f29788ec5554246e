import type { Tx } from '../../../platform/database/index.ts';
import { forbidden, notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { requireLiveToken } from '../gate/require-live-token.ts';
import { actingFor, type Principal } from '../principal.ts';
import { findFleetOrganization } from '../sql/fleet.ts';
import { holdOpenGrant, type OpenGrant } from '../sql/support-grants.ts';
import { endSupportSessions, findSupportSession, insertSupportSession } from '../sql/support-sessions.ts';
import { organizationNotFound } from './request-access.ts';

export type OpenedSession = {
  id: string;
  organizationId: string;
  grant: OpenGrant;
  /** With the grant, or with the token that asks, whichever ends first. */
  endsAt: Date;
};

/**
 * Opens the organization for an operator, while a grant of the organization is open. Asking again with the same token gives a new
 * access token of the same session: one entry in the audit log for each time that an operator comes in.
 */
export async function openSession(
  tx: Tx,
  operator: { principal: Principal; actor: Actor },
  id: string,
  now: Date,
): Promise<OpenedSession> {
  const { principal, actor } = operator;
  const organization = isId(id) ? await findFleetOrganization(tx, id) : undefined;
  if (organization === undefined) throw organizationNotFound(id);
  const organizationId = organization.id;
  await requireLiveToken(tx, principal);
  const grant = await holdOpenGrant(tx, organizationId, now);
  if (grant === undefined) throw notGranted();
  const endsAt = earlier(grant.expires_at, endOf(principal));
  const own = { grantId: grant.id, openedWith: principal.token.id };
  const known = await findSupportSession(tx, organizationId, own);
  if (known !== undefined) return { id: known, organizationId, grant, endsAt };

  const session = { ...own, id: newId(), operatorId: actor.id, operatorName: actor.name, now };
  if (await insertSupportSession(tx, organizationId, session)) {
    const entry = { action: 'open-support', resource: 'Settings', resourceId: grant.id };
    await recordAudit(tx, organizationId, actingFor(actor, grant.id), [entry], now);
    return { id: session.id, organizationId, grant, endsAt };
  }
  const opened = await findSupportSession(tx, organizationId, own);
  if (opened === undefined) throw notGranted();
  return { id: opened, organizationId, grant, endsAt };
}

/** A JWT stands for its login, which is renewed with it; a session token has an end of its own. */
function endOf({ token }: Principal): Date | null {
  return token.type === 'session_token' ? token.expiresAt : null;
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}

/** The sessions that this token has opened. Returns their ids. */
export async function leaveSession(
  tx: Tx,
  operator: { principal: Principal; actor: Actor },
  organizationId: string,
  now: Date,
): Promise<string[]> {
  const { principal, actor } = operator;
  const ended = isId(organizationId) ? await endSupportSessions(tx, organizationId, principal.token.id, now) : [];
  const [first] = ended;
  if (first === undefined) throw sessionNotFound(organizationId);
  const entry = { action: 'leave-support', resource: 'Settings', resourceId: first.grant_id };
  await recordAudit(tx, organizationId, actingFor(actor, first.grant_id), [entry], now);
  return ended.map(({ id }) => id);
}

export function notGranted(): Problem {
  return forbidden({ support: 'the organization has not allowed it: request access first' }).named(
    'support-not-granted',
  );
}

export function sessionNotFound(id: string): Problem {
  return notFound('Support session not found', { id });
}
