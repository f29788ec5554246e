import type { Tx } from '../../../platform/database/index.ts';
import { conflict, notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type FleetOrganization, lockFleetOrganization } from '../sql/fleet.ts';
import { findOpenGrant } from '../sql/support-grants.ts';
import {
  countRequests,
  expireRequests,
  insertRequest,
  listOpenRequests,
  type SupportRequestRow,
} from '../sql/support-requests.ts';
import { grantOpen } from './grant-access.ts';
import type { SupportScope } from './policy.ts';

export const REQUEST_DAYS = 7;
/** The organization sees every open one as a notice. */
export const MAX_OPEN_REQUESTS = 5;
/** In 24 hours, answered or not: an organization that refuses is not asked again and again. */
export const MAX_DAILY_REQUESTS = 10;
const DAY_MS = 86_400_000;

/** An operator asks for access. The organization is locked, so that two requests at once do not pass a limit together. */
export async function requestAccess(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  { scope, reason }: { scope: SupportScope; reason: string },
  now: Date,
): Promise<SupportRequestRow> {
  const { id: organization } = await lockSupported(tx, organizationId);
  const granted = await findOpenGrant(tx, organization, now);
  if (granted !== undefined) throw grantOpen(granted.id);
  const own = (await listOpenRequests(tx, organization, now)).find(({ operator_id }) => operator_id === actor.id);
  if (own !== undefined) throw requestOpen(own.id);
  const { open, recent } = await countRequests(tx, organization, { since: new Date(now.getTime() - DAY_MS), now });
  if (open >= MAX_OPEN_REQUESTS || recent >= MAX_DAILY_REQUESTS) throw tooManyRequests();

  await expireRequests(tx, organization, actor.id, now);
  const request = {
    id: newId(),
    operator_id: actor.id,
    operator_name: actor.name,
    scope,
    reason,
    created: now,
    expires_at: new Date(now.getTime() + REQUEST_DAYS * DAY_MS),
  };
  await insertRequest(tx, organization, request);
  const entry = { action: 'request-support', resource: 'Settings', resourceId: request.id };
  await recordAudit(tx, organization, actor, [entry], now);
  return { ...request, status: 'open' };
}

async function lockSupported(tx: Tx, id: string): Promise<FleetOrganization> {
  const row = isId(id) ? await lockFleetOrganization(tx, id) : undefined;
  if (row === undefined) throw organizationNotFound(id);
  return row;
}

export function organizationNotFound(id: string): Problem {
  return notFound('Organization not found', { id });
}

export function requestOpen(id: string): Problem {
  return conflict('Your support request is still open', { id }).named('support-request-open');
}

export function tooManyRequests(): Problem {
  return conflict('Too many support requests', { open: MAX_OPEN_REQUESTS, in_24_hours: MAX_DAILY_REQUESTS });
}
