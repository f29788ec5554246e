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
import { issueFeeInvoices, type Seller } from '../invoices/issue-fee-invoices.ts';

const REASON = `A fee is more than ${SUSPENDED_AFTER_DAYS} days overdue`;

export type Billed = {
  charged: number;
  settled: number;
  suspended: boolean;
  resumed: boolean;
  /** False when more months are missing than one transaction charges. */
  isCurrent: boolean;
};

/**
 * Bills one organization: missing months, fees that its wallet pays, fees that became overdue, tax invoices for
 * months that have none, and the suspension that follows. Without a `seller` no invoice is issued; a later run catches up.
 * It holds the account's lock, so a concurrent run finds the work done.
 */
export async function billOrganization(
  tx: Tx,
  organizationId: string,
  listChargeableAssignments: ListChargeableAssignments,
  now: Date,
  seller?: Seller,
): Promise<Billed> {
  const account = await lockAccount(tx, organizationId);
  const organization = await findBilledOrganization(tx, organizationId);
  if (account === undefined || organization === undefined) throw new Error(`no organization ${organizationId} to bill`);
  const today = billingDay(now);

  // A closed organization is not charged. Its months still count as charged, or it would pay for them when it reopens.
  const isCharged = organization.is_active && account.chargedThrough < periodOf(today);
  const { charged, settled, isCurrent } = await chargeMonths(tx, {
    organization,
    branches: isCharged ? await listChargeableBranches(tx, organizationId) : [],
    assignments: isCharged ? await listChargeableAssignments(tx, organizationId) : [],
    now,
  });

  if (seller !== undefined) await issueFeeInvoices(tx, organizationId, seller, now);

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
