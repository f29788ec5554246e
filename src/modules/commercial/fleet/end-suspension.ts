import type { Tx } from '../../../platform/database/index.ts';
import type { AuditEntry } from '../../audit/index.ts';
import { endBillingSuspension, findBilledOrganization } from '../../identity/index.ts';
import { billingDay, isLongOverdue } from '../billing/index.ts';

/**
 * After money came in: when no fee is more than 30 days overdue any more, the suspension that billing began ends in the same
 * transaction. A suspension by hand does not.
 */
export async function endSuspensionWhenPaid(tx: Tx, organizationId: string, now: Date): Promise<boolean> {
  if ((await findBilledOrganization(tx, organizationId))?.suspended_by !== 'billing') return false;
  if (await isLongOverdue(tx, organizationId, billingDay(now))) return false;
  return endBillingSuspension(tx, organizationId);
}

export function resumeEntries(organizationId: string, isResumed: boolean): AuditEntry[] {
  return isResumed ? [{ action: 'resume', resource: 'Settings', resourceId: organizationId }] : [];
}
