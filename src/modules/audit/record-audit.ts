import type { Tx } from '../../platform/database/index.ts';
import { type AuditEntry, type Author, BEFORE_THE_RECORD } from './entry.ts';
import { insertEntries } from './sql/write.ts';

/**
 * In the transaction of the change: either both are there or neither is. As its last statement, and once: the row that
 * counts the entries is held until the commit, and one of sixteen others may be waiting for it.
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
