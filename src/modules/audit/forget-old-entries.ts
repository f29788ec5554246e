import type { Platform } from '../../platform/platform.ts';
import { dropOldEntries, findHoldersOfOldEntries } from './sql/write.ts';

const HOUR_MS = 3_600_000;
/** An hour more than promised: the database refuses what is younger by its own clock, which may be behind ours. */
const KEPT_MS = 400 * 24 * HOUR_MS + HOUR_MS;
const BATCH = 1_000;

/** In small batches, each a transaction of its own: a tenant's year of bulk calls must not hold up its writers. */
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
