import type { SteadyLoop } from '../background/index.ts';
import { createCappedCounter } from '../fair-limiter/index.ts';
import type { Platform } from '../platform.ts';
import { createWorkQueue, type RetrySchedule, retryDelayMs, type StartItems } from '../work-queue/index.ts';
import { abandonOperation, claimOperation, isAnyExpired, listExpired, type Operation, settleOperation } from './sql.ts';

const LISTED_AT_ONCE = 50;
const CAPS = {
  maxConcurrent: 16,
  maxConcurrentPerTenant: 4,
  maxConcurrentPerTarget: 1,
  reserved: { slots: 4, fewerThan: 1 },
};
const RETRIES: Retries = {
  delaysMs: [10_000, 60_000, 300_000, 1_800_000, 7_200_000],
  maxAttempts: 12,
};

/** After the last attempt the operation is dead-lettered: logged as an error and deleted. */
export type Retries = RetrySchedule;

export type OperationRecovery<Input> = SteadyLoop & {
  /**
   * Settles an operation whose lease has ended; rejects as `recover` does. Does nothing where another process has claimed it. The last
   * attempt is the loop's: a client that repeats its request every second would reach it within a short outage.
   */
  recoverNow(operation: Operation<Input>, mayDeadLetter?: boolean): Promise<void>;
};

export type RecoveryRules<Input> = {
  kind: string;
  leaseMs: number;
  recover(operation: Operation<Input>): Promise<void>;
  retries?: Retries;
};

/**
 * Settles operations whose process died, or whose outcome stayed unknown. `recover` finds the outcome at the vendor, outside any
 * transaction, then writes it and settles the operation in one. A rejection is retried later, as `retries` says.
 */
export function createOperationRecovery<Input>(
  platform: Platform,
  { kind, leaseMs, recover, retries = RETRIES }: RecoveryRules<Input>,
): OperationRecovery<Input> {
  const { sql, clock, log, duePoll } = platform;
  const lastDelayMs = retries.delaysMs.at(-1) ?? 0;
  const caps = createCappedCounter(CAPS);
  const slotKeyOf = (operation: Operation<Input>) => ({
    tenant: operation.organization_id,
    target: operation.subject_id,
  });

  /** The claim itself is made by `recoverNow`, for requests and this loop alike; the cap of one per subject keeps it single here. */
  async function startExpired(start: StartItems<Operation<Input>>): Promise<boolean> {
    const expired = await listExpired<Input>(sql, {
      kind,
      now: clock.now(),
      limit: LISTED_AT_ONCE,
      ofTenant: CAPS.maxConcurrentPerTenant,
    });
    let started = 0;
    for (const operation of expired) {
      if (caps.available(slotKeyOf(operation)) === 0) continue;
      start([operation]);
      started += 1;
    }
    return started > 0;
  }

  async function recoverNow(operation: Operation<Input>, mayDeadLetter = false): Promise<void> {
    const claimed = await claimOperation(sql, operation, { now: clock.now(), leaseMs });
    if (claimed === undefined) return;
    try {
      await recover(claimed);
    } catch (error) {
      await retryLater(claimed, mayDeadLetter);
      throw error;
    }
  }

  async function retryLater(operation: Operation<Input>, mayDeadLetter: boolean): Promise<void> {
    const delayMs = retryDelayMs(retries, operation.attempts);
    if (delayMs === undefined && mayDeadLetter) {
      log.error({ kind, subject: operation.subject_id, input: operation.input }, 'an operation was dead-lettered');
      await settleOperation(sql, operation);
      return;
    }
    // The loop waits, requests do not: a vendor that is back is noticed by the next request, not hours later.
    const now = clock.now();
    await abandonOperation(sql, operation, {
      recoverAt: new Date(now.getTime() + (delayMs ?? lastDelayMs)),
      freeAt: now,
    });
  }

  const queue = createWorkQueue<Operation<Input>>({
    name: `operations of kind ${kind}`,
    log,
    due: { duePoll, isDue: (sql, now) => isAnyExpired(sql, kind, now) },
    claim: startExpired,
    acquireSlot: (operation) => caps.hold(slotKeyOf(operation)),
    run: (operation) => recoverNow(operation, true),
    describe: (operation) => ({ kind, subject: operation.subject_id }),
  });
  return { wake: queue.wake, start: queue.start, stop: queue.stop, recoverNow };
}
