import type { Tx } from '../../platform/database/index.ts';
import { type Actor, type AuditEntry, recordAudit } from '../audit/index.ts';
import { listOrganizationsOf } from './sql/accounts.ts';

/** What a user changes about himself concerns every organization that lets him in. */
export async function auditUser(
  tx: Tx,
  userId: string,
  actor: Actor,
  change: Pick<AuditEntry, 'action' | 'changedFields'>,
  now: Date,
): Promise<void> {
  const entry = { ...change, resource: 'Settings', resourceId: userId };
  for (const organizationId of await listOrganizationsOf(tx, userId)) {
    await recordAudit(tx, organizationId, actor, [entry], now);
  }
}
