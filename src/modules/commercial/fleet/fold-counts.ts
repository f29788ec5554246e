import { deleteOldChanges, inTransaction } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { foldChanges } from './sql/counts.ts';
import { FLEET_CHANGES } from './sql/fleet-changes.ts';

const BATCH = 10_000;

/** Keeps the change tables short that fleet reads add up and search. */
export async function foldCounts({ sql }: Pick<Platform, 'sql'>, signal: AbortSignal): Promise<void> {
  do signal.throwIfAborted();
  while ((await inTransaction(sql, (tx) => foldChanges(tx, BATCH))) === BATCH);
  await inTransaction(sql, (tx) => deleteOldChanges(tx, FLEET_CHANGES));
}
