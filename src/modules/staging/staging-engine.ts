import { createSteadyLoop, type Notifier, type SteadyLoop } from '../../platform/background/index.ts';
import { classifyDatabaseError } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Ordering } from '../orders/index.ts';
import { createInstallTurns } from './choose-installs.ts';
import { claimPayloads, deferPayload, type Processed, type ProcessTools, processPayloads } from './process-install.ts';
import { ClaimLost, type DueInstall, findDueInstalls, type QueuedPayload, releaseClaim } from './sql/queue.ts';

/** Installs looked up at once, and read at the same time. Two transactions keep two cores busy. */
const INSTALLS_AT_ONCE = 32;
const READERS = 2;
const POLL_MS = 500;
/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Makes orders of what was received, by the database alone: no vendor is ever waited for here. Tenants are served
 * round-robin, a batch of one install each, so that a burst of one delays the others by no more than a batch.
 */
export function createStagingEngine(
  platform: Platform,
  {
    ordering,
    retryDelaysSeconds,
    queue,
    onCallsNeeded,
  }: {
    ordering: Ordering;
    retryDelaysSeconds: readonly number[];
    queue: Notifier;
    /** Some payloads need a call to their vendor. */
    onCallsNeeded(): void;
  },
): SteadyLoop {
  const { sql, box, log, clock } = platform;
  const tools: ProcessTools = { sql, box, ordering, retryDelaysSeconds };
  /** Claims that could not be given back because the database was away. */
  const unreleased = new Map<string, string>();
  const turns = createInstallTurns();
  let after = FIRST_ID;

  async function step(): Promise<boolean> {
    const now = clock.now();
    for (const [claimId, installId] of unreleased) await release(installId, claimId);
    let due = await findDueInstalls(sql, { stage: 'read', after, now, limit: INSTALLS_AT_ONCE });
    if (due.length === 0 && after !== FIRST_ID)
      due = await findDueInstalls(sql, { stage: 'read', after: FIRST_ID, now, limit: INSTALLS_AT_ONCE });
    after = due.length < INSTALLS_AT_ONCE ? FIRST_ID : (due.at(-1)?.id ?? FIRST_ID);
    const waiting = turns.choose(due).values();
    const settled = await Promise.all(Array.from({ length: READERS }, () => readInTurn(waiting)));
    return settled.some((count) => count > 0);
  }

  async function readInTurn(waiting: Iterable<DueInstall>): Promise<number> {
    let settled = 0;
    for (const install of waiting) settled += await processOne(install.id);
    return settled;
  }

  async function processOne(installId: string): Promise<number> {
    const claimed = await claimPayloads(tools, installId);
    const [first] = claimed;
    if (first === undefined) return 0;
    try {
      const { settled, hasCalls } = await processClaimed(installId, claimed);
      if (settled > 0) ordering.outbox.notify();
      if (hasCalls) onCallsNeeded();
      return settled;
    } catch (error) {
      unreleased.set(first.claim_id, installId);
      // Deleted, or queued again by a person: the others of the batch are claimed anew.
      if (!(error instanceof ClaimLost)) throw error;
      await release(installId, first.claim_id);
      return claimed.length;
    }
  }

  async function processClaimed(installId: string, claimed: readonly QueuedPayload[]): Promise<Processed> {
    try {
      return await processPayloads(tools, installId, claimed);
    } catch (error) {
      if (!isOfPayload(error)) throw error;
      log.error({ err: error, installId }, 'a batch of payloads could not be processed; trying one by one');
    }
    const total: Processed = { settled: 0, hasCalls: false };
    for (const row of claimed) {
      const one = await processPayloads(tools, installId, [row]).catch((error: unknown) => {
        if (!isOfPayload(error)) throw error;
        log.error({ err: error, installId, stagingId: row.id }, 'a payload could not be processed');
        return deferPayload(tools, installId, row);
      });
      total.settled += one.settled;
      total.hasCalls ||= one.hasCalls;
    }
    return total;
  }

  async function release(installId: string, claimId: string): Promise<void> {
    await releaseClaim(sql, { installId, claimId }, clock.now());
    unreleased.delete(claimId);
  }

  const loop = createSteadyLoop({ name: 'staging', log, everyMs: POLL_MS, step });
  let stopListening: (() => void) | undefined;
  return {
    wake: loop.wake,
    start() {
      stopListening = queue.onNotify(loop.wake);
      loop.start();
    },
    async stop() {
      stopListening?.();
      await loop.stop();
    },
  };
}

/** Whether the payload is at fault, and not the state of the database or of the claim. */
function isOfPayload(error: unknown): boolean {
  return !(error instanceof ClaimLost) && !['unavailable', 'retry'].includes(classifyDatabaseError(error).kind);
}
