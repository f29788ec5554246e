import type { Tx } from '../../../platform/database/index.ts';
import { conflict, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type FleetOrganization, lockFleetOrganization, setSuspended } from '../../identity/index.ts';
import { getFleetOrganization, organizationNotFound } from './fleet-organization.ts';

/** By hand, so no payment ends it. A suspension for unpaid fees becomes one by hand. */
export async function suspendOrganization(
  tx: Tx,
  actor: Actor,
  id: string,
  reason: string,
  now: Date,
): Promise<FleetOrganization> {
  requireReason(reason);
  const row = await lockExisting(tx, id);
  if (row.suspended_by === 'operator') throw alreadySuspended(id);
  await setSuspended(tx, id, row.suspended_at ?? now, { by: 'operator', reason });
  return record(tx, actor, id, 'suspend', now);
}

/** Also ends a suspension for unpaid fees; the next billing run suspends again while they are unpaid. */
export async function resumeOrganization(
  tx: Tx,
  actor: Actor,
  id: string,
  reason: string,
  now: Date,
): Promise<FleetOrganization> {
  requireReason(reason);
  const row = await lockExisting(tx, id);
  if (row.suspended_at === null) throw notSuspended(id);
  await setSuspended(tx, id, null);
  return record(tx, actor, id, 'resume', now);
}

export function alreadySuspended(id: string): Problem {
  return conflict('Already suspended', { id });
}

export function notSuspended(id: string): Problem {
  return conflict('Not suspended', { id });
}

function requireReason(reason: string): void {
  if (reason.trim() === '') throw unprocessable({ reason: 'must not be empty' });
}

async function lockExisting(tx: Tx, id: string): Promise<FleetOrganization> {
  const row = isId(id) ? await lockFleetOrganization(tx, id) : undefined;
  if (row === undefined) throw organizationNotFound(id);
  return row;
}

async function record(tx: Tx, actor: Actor, id: string, action: string, now: Date): Promise<FleetOrganization> {
  const row = await getFleetOrganization(tx, id);
  const entry = { action, resource: 'Settings', resourceId: id, changedFields: ['status', 'suspension_reason'] };
  await recordAudit(tx, id, actor, [entry], now);
  return row;
}
