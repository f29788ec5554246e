import { setTimeout as delay } from 'node:timers/promises';
import type { Tx } from '../database/index.ts';
import { newId } from '../ids.ts';
import { findOperation, insertOperation, type Operation, type OperationKey } from './sql.ts';

/** Another operation on the same subject is in progress. */
export class OperationUnderWay extends Error {
  readonly operation: Operation;

  constructor(operation: Operation) {
    super(`an operation of kind ${operation.kind} is under way`);
    this.operation = operation;
  }
}

/**
 * Stores the intent before the vendor is called. Throws OperationUnderWay if another operation exists, even if its process died: that
 * one is settled first, by `recover` of `untilFree` or by the recovery loop.
 */
export async function beginOperation<Input>(
  tx: Tx,
  key: OperationKey,
  { id = newId(), input, now, leaseMs }: { id?: string; input: Input; now: Date; leaseMs: number },
): Promise<Operation<Input>> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const operation = { ...key, id, input, attempts: 1, lease_until: leaseUntil, created: now };
  if (await insertOperation(tx, operation)) return operation;
  await refuseUnderWay(tx, key);
  // The other operation has ended between the two statements.
  if (await insertOperation(tx, operation)) return operation;
  throw new OperationUnderWay(operation);
}

/** For writers that call no vendor and must not write between a call and its outcome. */
export async function refuseUnderWay(tx: Tx, key: OperationKey): Promise<void> {
  const other = await findOperation(tx, key);
  if (other !== undefined) throw new OperationUnderWay(other);
}

const WAIT_MS = 15_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Repeats the work until no other operation blocks it, for 15 s at most. Holds no connection while waiting. An operation whose lease
 * has ended is settled by `recover`.
 */
export async function untilFree<Result>(
  work: () => Promise<Result>,
  { now, recover }: { now(): Date; recover(operation: Operation): Promise<void> },
): Promise<Result> {
  const endsAtMs = performance.now() + WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OperationUnderWay) || performance.now() > endsAtMs) throw error;
      if (error.operation.lease_until <= now()) await recover(error.operation);
      else await delay(pauseMs);
    }
  }
}
