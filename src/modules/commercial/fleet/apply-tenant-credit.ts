import type { Tx } from '../../../platform/database/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { applyCredit, type Money, type Settlement } from '../billing/index.ts';
import { endSuspensionWhenPaid, resumeEntries } from './end-suspension.ts';

export type TenantCredit = { organizationId: string; amountSar: Money; note: string };

/** Applies a credit, and ends a suspension when no fee is long overdue any more. */
export async function applyTenantCredit(
  tx: Tx,
  actor: Actor,
  { organizationId, amountSar, note }: TenantCredit,
  now: Date,
): Promise<{ settlement: Settlement; isResumed: boolean }> {
  const settlement = await applyCredit(tx, { organizationId, amountSar, note, createdBy: actor.name, now });
  const isResumed = await endSuspensionWhenPaid(tx, organizationId, now);
  const entry = { action: 'credit', resource: 'Settings', resourceId: organizationId };
  await recordAudit(tx, organizationId, actor, [entry, ...resumeEntries(organizationId, isResumed)], now);
  return { settlement, isResumed };
}
