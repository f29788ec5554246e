import type { Notifier, SteadyLoop } from '../../platform/background/index.ts';
import { classifyDatabaseError } from '../../platform/database/index.ts';
import { createCappedCounter } from '../../platform/fair-limiter/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { ClaimLost, createWorkQueue, type StartItems } from '../../platform/work-queue/index.ts';
import { createInstallRotation } from './choose-installs.ts';
import { claimPayloadsToRead } from './claim-payloads.ts';
import { deferPayload, type Processed, processPayloads } from './process-payloads.ts';
import type { ProcessingContext } from './processing-context.ts';
import {
  type DueInstall,
  FIRST_ID,
  findDueInstalls,
  isAnyInstallDue,
  type QueuedPayload,
  releaseClaim,
} from './sql/queue.ts';

const INSTALLS_AT_ONCE = 32;
/** Two transactions keep two cores busy. Payloads of one install are read in the order of their arrival, so one batch at a time. */
const CAPS = {
  maxConcurrent: 2,
  maxConcurrentPerTenant: 2,
  maxConcurrentPerTarget: 1,
  reserved: { slots: 0, fewerThan: 0 },
};

type Batch = { install: DueInstall; claimId: string; rows: readonly QueuedPayload[] };

const slotKeyOf = ({ organization_id, id }: DueInstall) => ({ tenant: organization_id, target: id });

/**
 * Turns received payloads into orders, by the database alone: no vendor is called here. Tenants are served round-robin, one batch of
 * one install each, so that a burst of one tenant delays the others by no more than a batch.
 */
export function createStagingEngine(
  { sql, log, clock, duePoll }: Platform,
  {
    context,
    notifier,
    onCallsNeeded,
  }: {
    context: ProcessingContext;
    notifier: Notifier;
    /** Some payloads need a call to their vendor. */
    onCallsNeeded(): void;
  },
): SteadyLoop {
  const caps = createCappedCounter(CAPS);
  const rotation = createInstallRotation();
  /** Claims that could not be released because the database was unavailable. */
  const unreleased = new Map<string, string>();
  /** Installs of the last lookup that are not served yet. */
  let waiting: DueInstall[] = [];
  let after = FIRST_ID;

  /** One lookup of due installs serves many batches; the end of a batch claims the next one. */
  async function claim(start: StartItems<Batch>): Promise<boolean> {
    for (const [claimId, installId] of unreleased) await release(installId, claimId);
    let hasLookedUp = false;
    while (caps.total() < CAPS.maxConcurrent) {
      if (waiting.length === 0) {
        if (hasLookedUp) break;
        waiting = await nextInstalls();
        hasLookedUp = true;
        if (waiting.length === 0) break;
      }
      const next = waiting.splice(0, CAPS.maxConcurrent - caps.total());
      await Promise.all(next.map((install) => claimBatch(install, start)));
    }
    return false;
  }

  async function nextInstalls(): Promise<DueInstall[]> {
    const lookUp = () => findDueInstalls(sql, { stage: 'read', after, now: clock.now(), limit: INSTALLS_AT_ONCE });
    let due = await lookUp();
    if (due.length === 0 && after !== FIRST_ID) {
      after = FIRST_ID;
      due = await lookUp();
    }
    after = due.length < INSTALLS_AT_ONCE ? FIRST_ID : (due.at(-1)?.id ?? FIRST_ID);
    return rotation.choose(due);
  }

  async function claimBatch(install: DueInstall, start: StartItems<Batch>): Promise<void> {
    if (caps.available(slotKeyOf(install)) === 0) return;
    const rows = await claimPayloadsToRead(context, install.id);
    const [first] = rows;
    if (first !== undefined) start([{ install, claimId: first.claim_id, rows }]);
  }

  async function processBatch({ install, claimId, rows }: Batch): Promise<void> {
    try {
      const { settled, hasCalls } = await processOrIsolate(install.id, rows);
      if (settled > 0) context.ordering.outbox.notify();
      if (hasCalls) onCallsNeeded();
    } catch (error) {
      unreleased.set(claimId, install.id);
      // One payload was deleted or queued again: the others of the batch are claimed again.
      if (error instanceof ClaimLost) await release(install.id, claimId);
      throw error;
    }
  }

  /** A batch that fails because of one payload is processed payload by payload, which isolates the one at fault. */
  async function processOrIsolate(installId: string, rows: readonly QueuedPayload[]): Promise<Processed> {
    try {
      return await processPayloads(context, installId, rows);
    } catch (error) {
      if (!isOfPayload(error)) throw error;
      log.error({ err: error, installId }, 'a batch of payloads could not be processed; trying one by one');
    }
    const total: Processed = { settled: 0, hasCalls: false };
    for (const row of rows) {
      const one = await processPayloads(context, installId, [row]).catch((error: unknown) => {
        if (!isOfPayload(error)) throw error;
        log.error({ err: error, installId, stagingId: row.id }, 'a payload could not be processed');
        return deferPayload(context, installId, row);
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

  return createWorkQueue<Batch>({
    name: 'staging',
    log,
    due: { duePoll, isDue: (sql, now) => isAnyInstallDue(sql, 'read', now) },
    notifier,
    claim,
    acquireSlot: ({ install }) => caps.hold(slotKeyOf(install)),
    run: processBatch,
    describe: ({ install }) => ({ installId: install.id }),
  });
}

/** Whether the payload is the cause, and not the state of the database or of the claim. */
function isOfPayload(error: unknown): boolean {
  return !(error instanceof ClaimLost) && !['unavailable', 'retry'].includes(classifyDatabaseError(error).kind);
}
