import type { Tx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { SHARED_DRAWINGS } from './file-url.ts';
import { deleteUnclaimed, findUnclaimed, findUnclaimedSince, insertUnclaimed } from './sql.ts';

export type FileTools = Pick<Platform, 'sql' | 'files' | 'clock' | 'log'>;

/** Far longer than any request may take: what is unclaimed for an hour was left by a process that died. */
const SWEPT_AFTER_MS = 3_600_000;
const SWEPT_AT_ONCE = 200;

/** In the transaction that stops referring to the files; shared drawings stay. Afterwards `removeUnclaimed` removes them. */
export async function abandonFiles(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  const own = keys.filter((key) => !key.startsWith(SHARED_DRAWINGS));
  if (own.length > 0) await insertUnclaimed(tx, own, now);
}

/** Never throws: whatever the request came to, it came to; what stays is found by the sweep. */
export async function removeUnclaimed(tools: FileTools, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    await removeFound(tools, await findUnclaimed(tools.sql, keys));
  } catch (error) {
    tools.log.warn({ err: error, keys }, 'files could not be removed, left to the sweep');
  }
}

/** Returns how many files went. */
export async function sweepUnclaimedFiles(tools: FileTools): Promise<number> {
  const olderThan = new Date(tools.clock.now().getTime() - SWEPT_AFTER_MS);
  const keys = await findUnclaimedSince(tools.sql, olderThan, SWEPT_AT_ONCE);
  await removeFound(tools, keys);
  return keys.length;
}

/** The row goes last. No transaction around it: a store that is slow to answer would hold a database connection. */
async function removeFound(tools: FileTools, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tools.files.removeMany(keys);
  await deleteUnclaimed(tools.sql, keys);
}
