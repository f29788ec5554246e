import type { Tx } from '../../platform/database/index.ts';
import type { Actor, AuditEntry } from './entry.ts';
import { insertEntries } from './sql.ts';

/** In the transaction of the change: either both are there or neither is. */
export async function recordAudit(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  entries: readonly AuditEntry[],
  now: Date,
): Promise<void> {
  if (entries.length === 0) return;
  await insertEntries(tx, organizationId, actor, entries, now);
}
