import { newId } from '../../platform/ids.ts';
import type { ProcessingContext } from './processing-context.ts';
import { claimToCall, claimToRead, type QueuedPayload } from './sql/queue.ts';

const ROWS_AT_ONCE = 64;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** A batch takes milliseconds. If the process dies, another one claims the batch after this. */
const READ_LEASE_MS = 15_000;
/** Longer than a payload's calls and the write that follows. If the process dies, the payload is due again after this. */
const CALL_LEASE_MS = 60_000;

/** Each claim counts as an attempt before the payload is read, so that a payload which ends the process cannot do so forever. */
export function claimPayloadsToRead(context: ProcessingContext, installId: string): Promise<QueuedPayload[]> {
  return claimToRead(context.sql, claimRequest(context, installId, ROWS_AT_ONCE, READ_LEASE_MS));
}

export function claimPayloadsToCall(
  context: ProcessingContext,
  installId: string,
  freeSlots: number,
): Promise<QueuedPayload[]> {
  return claimToCall(context.sql, claimRequest(context, installId, freeSlots, CALL_LEASE_MS));
}

function claimRequest({ ordering }: ProcessingContext, installId: string, rows: number, leaseMs: number) {
  const now = ordering.clock.now();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  return { installId, claimId: newId(), now, leaseUntil, rows, bytes: BYTES_AT_ONCE };
}
