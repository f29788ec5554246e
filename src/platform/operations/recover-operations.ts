import { createConcurrencyCaps, createSteadyLoop, type SteadyLoop } from '../background/index.ts';
import type { Platform } from '../platform.ts';
import { abandonOperation, claimOperation, listExpired, type Operation, settleOperation } from './sql.ts';

const LOOK_EVERY_MS = 5_000;
const AT_ONCE = 50;
const CAPS = { total: 16, perTenant: 4, perTarget: 1, reserved: 4, fewPerTenant: 1 };
const RETRIES: Retries = {
  delaysMs: [10_000, 60_000, 300_000, 1_800_000, 7_200_000],
  maxAttempts: 12,
  isFreeMeanwhile: false,
};

export type Retries = {
  /** The last one repeats until `maxAttempts`. */
  delaysMs: readonly number[];
  /** Then the operation is abandoned. */
  maxAttempts: number;
  /** Whether a request may take it over while the loop waits for the next attempt. */
  isFreeMeanwhile: boolean;
};

export type OperationRecovery<Input> = SteadyLoop & {
  /** Settles an operation whose lease has ended; rejects as `recover` does. No effect when another process has claimed it. */
  recoverNow(operation: Operation<Input>): Promise<void>;
};

export type RecoveryRules<Input> = {
  kind: string;
  leaseMs: number;
  recover(operation: Operation<Input>): Promise<void>;
  retries?: Retries;
};

/**
 * Settles operations whose process died or whose outcome is unknown. `recover` asks the vendor for the outcome outside any
 * transaction, then writes it and settles the operation in one. When it throws, it is retried as configured by `retries`.
 */
export function createOperationRecovery<Input>(
  platform: Platform,
  { kind, leaseMs, recover, retries = RETRIES }: RecoveryRules<Input>,
): OperationRecovery<Input> {
  const { sql, clock, log } = platform;
  const caps = createConcurrencyCaps(CAPS);
  const underWay = new Set<Promise<void>>();

  async function step(): Promise<boolean> {
    const now = clock.now();
    const expired = await listExpired<Input>(sql, { kind, now, limit: AT_ONCE, ofTenant: CAPS.perTenant });
    let started = 0;
    for (const operation of expired) {
      const worker = { tenantId: operation.organization_id, targetId: operation.subject_id };
      if (caps.freeFor(worker) === 0) continue;
      started += 1;
      start(operation, caps.start(worker));
    }
    return started > 0;
  }

  function start(operation: Operation<Input>, end: () => void): void {
    const running = recoverNow(operation)
      .catch((error: unknown) =>
        log.warn({ err: error, kind, subject: operation.subject_id }, 'an operation could not be settled yet'),
      )
      .finally(() => {
        end();
        underWay.delete(running);
      });
    underWay.add(running);
  }

  async function recoverNow(operation: Operation<Input>): Promise<void> {
    const claimed = await claimOperation(sql, operation, { now: clock.now(), leaseMs });
    if (claimed === undefined) return;
    try {
      await recover(claimed);
    } catch (error) {
      await retryLater(claimed);
      throw error;
    }
  }

  async function retryLater(operation: Operation<Input>): Promise<void> {
    if (operation.attempts >= retries.maxAttempts) {
      log.error({ kind, subject: operation.subject_id, input: operation.input }, 'an operation was abandoned');
      await settleOperation(sql, operation);
      return;
    }
    const { delaysMs, isFreeMeanwhile } = retries;
    const now = clock.now();
    const recoverAt = new Date(now.getTime() + (delaysMs[Math.min(operation.attempts, delaysMs.length) - 1] ?? 0));
    await abandonOperation(sql, operation, { recoverAt, ...(isFreeMeanwhile ? { freeAt: now } : {}) });
  }

  const loop = createSteadyLoop({ name: `operations of kind ${kind}`, log, everyMs: LOOK_EVERY_MS, step });
  return {
    wake: loop.wake,
    start: loop.start,
    async stop() {
      await loop.stop();
      await Promise.allSettled(underWay);
    },
    recoverNow,
  };
}
