import type { Tx } from '../../../platform/database/index.ts';
import { conflict, notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { lockOwnRequest, lockRequest, type SupportRequestRow, settleRequest } from '../sql/support-requests.ts';
import { lockTeam, type TeamAuthor } from '../team/team-author.ts';

/** The organization says no. */
export async function refuseRequest(
  tx: Tx,
  organizationId: string,
  by: TeamAuthor,
  id: string,
  now: Date,
): Promise<SupportRequestRow> {
  await lockTeam(tx, organizationId, by);
  const request = await getOpenRequest(tx, organizationId, id, now);
  return settle(tx, organizationId, request, { status: 'refused', actor: by.actor, now });
}

/** The open request of the operator who asks; there is at most one. */
export async function withdrawRequest(tx: Tx, organizationId: string, actor: Actor, now: Date): Promise<void> {
  const request = isId(organizationId) ? await lockOwnRequest(tx, organizationId, actor.id, now) : undefined;
  if (request === undefined) throw requestNotFound(organizationId);
  await settle(tx, organizationId, request, { status: 'withdrawn', actor, now });
}

/** Locked: it is answered once. */
export async function getOpenRequest(
  tx: Tx,
  organizationId: string,
  id: string,
  now: Date,
  missing: Problem = requestNotFound(id),
): Promise<SupportRequestRow> {
  const request = isId(id) ? await lockRequest(tx, organizationId, id) : undefined;
  if (request === undefined) throw missing;
  if (request.status !== 'open' || request.expires_at <= now) throw requestSettled(id);
  return request;
}

async function settle(
  tx: Tx,
  organizationId: string,
  request: SupportRequestRow,
  { status, actor, now }: { status: 'refused' | 'withdrawn'; actor: Actor; now: Date },
): Promise<SupportRequestRow> {
  await settleRequest(tx, organizationId, request.id, status, now);
  const action = status === 'refused' ? 'refuse-support-request' : 'withdraw-support-request';
  await recordAudit(tx, organizationId, actor, [{ action, resource: 'Settings', resourceId: request.id }], now);
  return { ...request, status };
}

export function requestNotFound(id: string): Problem {
  return notFound('Support request not found', { id });
}

export function requestSettled(id: string): Problem {
  return conflict('The support request was answered, withdrawn or has expired', { id }).named(
    'support-request-settled',
  );
}
