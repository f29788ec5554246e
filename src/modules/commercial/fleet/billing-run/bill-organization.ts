import type { Tx } from '../../../../platform/database/index.ts';
import { type AuditEntry, recordAudit, SYSTEM_ACTOR } from '../../../audit/index.ts';
import { listChargeableBranches } from '../../../branches/index.ts';
import { endBillingSuspension, findBilledOrganization, suspendForBilling } from '../../../identity/index.ts';
import {
  billingDay,
  chargeMonths,
  isLongOverdue,
  lockAccount,
  periodOf,
  SUSPENDED_AFTER_DAYS,
} from '../../billing/index.ts';
import type { ListChargeableAssignments } from '../chargeable-assignments.ts';

const REASON = `A fee is more than ${SUSPENDED_AFTER_DAYS} days overdue`;

export type Billed = {
  charged: number;
  settled: number;
  suspended: boolean;
  resumed: boolean;
  /** False where so many months were missing that the rest is left to another transaction. */
  isCurrent: boolean;
};

/**
 * One organization's turn: the months that are missing, what its wallet pays, what came to be overdue, and the suspension
 * that follows from it. Under the lock of its account, so that whoever comes at the same time finds it done.
 */
export async function billOrganization(
  tx: Tx,
  organizationId: string,
  listChargeableAssignments: ListChargeableAssignments,
  now: Date,
): Promise<Billed> {
  const account = await lockAccount(tx, organizationId);
  const organization = await findBilledOrganization(tx, organizationId);
  if (account === undefined || organization === undefined) throw new Error(`no organization ${organizationId} to bill`);
  const today = billingDay(now);

  // One that is switched off uses nothing. Its months pass all the same, or it would be charged for them when it is back.
  const isCharged = organization.is_active && account.chargedThrough < periodOf(today);
  const { charged, settled, isCurrent } = await chargeMonths(tx, {
    organization,
    branches: isCharged ? await listChargeableBranches(tx, organizationId) : [],
    assignments: isCharged ? await listChargeableAssignments(tx, organizationId) : [],
    now,
  });

  const isLate = await isLongOverdue(tx, organizationId, today);
  const suspended =
    isLate && organization.suspended_by === '' && (await suspendForBilling(tx, organizationId, REASON, now));
  const resumed =
    !isLate && organization.suspended_by === 'billing' && (await endBillingSuspension(tx, organizationId));
  const entries: AuditEntry[] = [
    ...(charged > 0 ? ['charge'] : []),
    ...(settled > 0 ? ['settle'] : []),
    ...(suspended ? ['suspend'] : []),
    ...(resumed ? ['resume'] : []),
  ].map((action) => ({ action, resource: 'Settings', resourceId: organizationId }));
  await recordAudit(tx, organizationId, SYSTEM_ACTOR, entries, now);
  return { charged, settled, suspended, resumed, isCurrent };
}
