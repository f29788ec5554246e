import type { Piece, Queryable } from '../database/index.ts';

/** Whether a loop has something to do, as a boolean SQL expression. It must use an index and stop at the first match. */
export type IsDue = (sql: Queryable, now: Date) => Piece;

/**
 * One statement for all idle loops of the process: asks for each whether it has something to do, and wakes those that have. Retries and
 * ended leases come due without a notification, and a notification can be lost; both are found within `DUE_POLL_MS`. Before, every loop
 * polled by itself, which cost 25 transactions a second on an idle service.
 */
export type DuePoll = {
  /** Returns the function that removes the loop. */
  add(isDue: IsDue, wake: () => void): () => void;
  start(): void;
  stop(): Promise<void>;
};

/** How a loop learns of work that no notification announces. */
export type DueWork = { duePoll: DuePoll; isDue: IsDue };
