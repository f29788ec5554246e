import type { Tx } from '../../../platform/database/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type LedgerRow, type Money, refund } from '../billing/index.ts';
import { reverseCommission } from '../partners/index.ts';

export type TenantRefund = { organizationId: string; amountSar: Money; note: string; reference?: string };

/** Out of the wallet, never more than it holds. The partner's commission on that money is reversed with it. */
export async function refundTenant(
  tx: Tx,
  actor: Actor,
  { organizationId, amountSar, note, reference = '' }: TenantRefund,
  now: Date,
): Promise<LedgerRow> {
  const entry = await refund(tx, { organizationId, amountSar, note, reference, createdBy: actor.name, now });
  await reverseCommission(tx, { organizationId, refundId: entry.id, amountSar: entry.total_sar, now });
  const audited = { action: 'refund', resource: 'Settings', resourceId: entry.id };
  await recordAudit(tx, organizationId, actor, [audited], now);
  return entry;
}
