import type { Tx } from '../../platform/database/index.ts';
import { type AuditEntry, type Author, BEFORE_THE_RECORD } from './entry.ts';
import { insertEntries } from './sql/write.ts';

/**
 * Call it in the transaction of the change, once and as the last statement: the row that counts the entries stays locked until
 * the commit, and one in sixteen concurrent writers of the tenant waits for it.
 */
export async function recordAudit(
  tx: Tx,
  organizationId: string,
  author: Author,
  entries: readonly AuditEntry[],
  now: Date,
): Promise<void> {
  if (author === BEFORE_THE_RECORD || entries.length === 0) return;
  await insertEntries(tx, organizationId, author, entries, now);
}
