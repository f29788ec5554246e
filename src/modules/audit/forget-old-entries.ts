import type { Platform } from '../../platform/platform.ts';
import { dropOldEntries, findHoldersOfOldEntries } from './sql/write.ts';

const HOUR_MS = 3_600_000;
/** One hour more than documented: a trigger rejects younger entries by the database's clock, which may be behind. */
const KEPT_MS = 400 * 24 * HOUR_MS + HOUR_MS;
const BATCH = 1_000;

/** In small batches, one transaction each: deleting a year of bulk entries must not block the tenant's writers. */
export async function forgetOldEntries(
  { sql, clock }: Pick<Platform, 'sql' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  for (const organizationId of await findHoldersOfOldEntries(sql, before)) {
    do signal.throwIfAborted();
    while ((await dropOldEntries(sql, organizationId, before, BATCH)) === BATCH);
  }
}
