import { inTransaction, type Tx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { deleteUnclaimed, insertUnclaimed, lockUnclaimed, lockUnclaimedSince } from './sql.ts';

export type FileTools = Pick<Platform, 'sql' | 'files' | 'clock' | 'log'>;

/** Far longer than any request may take: what is unclaimed for an hour was left by a process that died. */
const SWEPT_AFTER_MS = 3_600_000;
const SWEPT_AT_ONCE = 200;

/** In the transaction that stops referring to the files. Afterwards `removeUnclaimed` takes them away. */
export async function abandonFiles(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length > 0) await insertUnclaimed(tx, keys, now);
}

/** Never throws: the request has had its answer, and what stays is found by the sweep. */
export async function removeUnclaimed(tools: FileTools, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    await inTransaction(tools.sql, async (tx) => removeLocked(tools, tx, await lockUnclaimed(tx, keys)));
  } catch (error) {
    tools.log.warn({ err: error, keys }, 'files could not be removed, left to the sweep');
  }
}

/** Returns how many files went. */
export async function sweepUnclaimedFiles(tools: FileTools): Promise<number> {
  const olderThan = new Date(tools.clock.now().getTime() - SWEPT_AFTER_MS);
  return inTransaction(tools.sql, async (tx) =>
    removeLocked(tools, tx, await lockUnclaimedSince(tx, olderThan, SWEPT_AT_ONCE)),
  );
}

async function removeLocked(tools: FileTools, tx: Tx, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  await tools.files.removeMany(keys);
  await deleteUnclaimed(tx, keys);
  return keys.length;
}
