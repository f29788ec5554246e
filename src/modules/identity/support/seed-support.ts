import type { Tx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { type Actor, type AuditEntry, recordAudit } from '../../audit/index.ts';
import { actingFor } from '../principal.ts';
import { endSupportSessions, insertSupportSession } from '../sql/support-sessions.ts';
import { endAccess } from './end-access.ts';
import { grantAccess, type NewGrant } from './grant-access.ts';
import { requestAccess } from './request-access.ts';

export type PastVisit = {
  request: { reason: string; at: Date };
  grant: Pick<NewGrant, 'scope' | 'hours'> & { at: Date };
  opened: Date;
  did: readonly { entry: AuditEntry; at: Date }[];
  left: Date;
  ended: Date;
};

/** For the demo: a request that was allowed, what support did, and the end of it. Each through its rule, at its time. */
export async function seedPastVisit(
  tx: Tx,
  organizationId: string,
  { owner, operator }: { owner: Actor; operator: Actor },
  visit: PastVisit,
): Promise<void> {
  const { scope, hours } = visit.grant;
  const asked = { scope, reason: visit.request.reason };
  const request = await requestAccess(tx, organizationId, operator, asked, visit.request.at);
  const allowed = { scope, hours, reason: '', requestId: request.id };
  const grant = await grantAccess(tx, organizationId, { actor: owner }, allowed, visit.grant.at);
  const support = actingFor(operator, grant.id);
  const entry = (action: string): AuditEntry => ({ action, resource: 'Settings', resourceId: grant.id });
  // Of a login that is gone.
  const openedWith = newId();
  await insertSupportSession(tx, organizationId, {
    id: newId(),
    grantId: grant.id,
    operatorId: operator.id,
    operatorName: operator.name,
    openedWith,
    now: visit.opened,
  });
  await recordAudit(tx, organizationId, support, [entry('open-support')], visit.opened);
  for (const { entry: done, at } of visit.did) await recordAudit(tx, organizationId, support, [done], at);
  await endSupportSessions(tx, organizationId, openedWith, visit.left);
  await recordAudit(tx, organizationId, support, [entry('leave-support')], visit.left);
  await endAccess(tx, organizationId, { actor: owner }, visit.ended);
}
