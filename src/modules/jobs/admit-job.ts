import type { Tx } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/problem.ts';
import { countWaiting } from './sql/jobs.ts';
import { lockTurn } from './sql/turns.ts';

export const MAX_WAITING_JOBS = 1_000;
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** At ten jobs a second or more, this drains a good part of a full queue. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Gives the job its turn, or refuses it. Both limits are exact: the turn locks a row of this tenant and type until the caller commits,
 * so of two concurrent requests the second counts the first.
 */
export async function admitJob(
  tx: Tx,
  { organizationId, type, inputBytes }: { organizationId: string; type: string; inputBytes: number },
): Promise<number> {
  const turn = await lockTurn(tx, { organizationId, type });
  const waiting = await countWaiting(tx, organizationId, type);
  if (waiting.jobs >= MAX_WAITING_JOBS) throw tooManyWaiting({ limit: MAX_WAITING_JOBS });
  if (waiting.bytes + inputBytes > MAX_WAITING_BYTES) throw tooManyWaiting({ limit_bytes: MAX_WAITING_BYTES });
  return turn;
}

function tooManyWaiting(limit: Record<string, number>): Problem {
  const details = { ...limit, retry_after_seconds: RETRY_AFTER_SECONDS };
  return new Problem(429, 'Too many queued jobs', details, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
