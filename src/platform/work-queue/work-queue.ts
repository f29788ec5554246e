import { setImmediate as nextEventLoopTick } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createSteadyLoop, type DueWork, IDLE_LOOP_MS, type Notifier } from '../background/index.ts';
import { classifyDatabaseError } from '../database/index.ts';

const SETTLED_AT_ONCE = 512;
const STARTED_AT_ONCE = 8;
/** Outcomes of a queue with `restMs` that are settled without a rest: there is enough to do at once. */
const SETTLED_WITHOUT_REST = 16;
/** After an item could not be settled, so that an item which fails at once is not claimed in a tight loop. */
const PAUSE_AFTER_FAILURE_MS = 500;

/** The item belongs to another claim now: its lease ended, or it was deleted or queued again. Nothing is left to settle. */
export class ClaimLost extends Error {}

/** Starts claimed items whose claim is committed. Each holds its slot from here on. */
export type StartItems<Item> = (items: readonly Item[]) => void;

export type Settling<Outcome> = {
  /** To be written now: outcomes of items that have ended, at most 512. */
  outcomes: Outcome[];
  /** The queue is stopping, or an outcome is written by itself because its batch could not be. Claim nothing. */
  isSettlingOnly: boolean;
};

export type WorkQueueOptions<Item, Outcome> = {
  name: string;
  log: FastifyBaseLogger;
  /** Finds work that no notification announces: retries, ended leases, lost notifications. */
  due?: DueWork;
  /** The least time from one claim to the next while there is little to do: items that become due or end meanwhile share a transaction. */
  restMs?: number;
  notifier?: Notifier;
  /**
   * Claims items for free slots and passes them to `start`; writes the outcomes that are passed in, so that both may share a transaction.
   * Resolves to true when there may be more to claim now. Never waits for an item.
   */
  claim(start: StartItems<Item>, settling: Settling<Outcome>): Promise<boolean>;
  /** Takes the slot of an item; the function it returns releases it. */
  acquireSlot(item: Item): () => void;
  /**
   * Runs one item. Resolves to an outcome that a later `claim` writes; a queue whose `run` settles the item itself has none. What it
   * throws is logged, and the item is due again when its lease ends.
   */
  run(item: Item): Promise<Outcome | undefined>;
  /** Which item it is, for the log. */
  describe(item: Item): Record<string, unknown>;
};

export type WorkQueue<Item> = {
  wake(): void;
  /** Runs items that were claimed elsewhere, and whose claim is committed. Not to be called once `stop` has been. */
  run: StartItems<Item>;
  start(): void;
  /** Claims nothing more, waits for running items, then settles what they leave. */
  stop(): Promise<void>;
  inFlight(): number;
  /** Outcomes that wait to be written. */
  unsettled(): number;
};

type Ended<Item, Outcome> = { item: Item; outcome: Outcome };

/**
 * The loop that queues in the database share. Woken by a notification, by the end of an item or by the poll timer, it claims while
 * there are free slots, runs items side by side and settles their outcomes in batches. Each queue brings its own SQL in `claim` and
 * `run`: what is due, leases, retries and dead letters are rows of its tables.
 */
export function createWorkQueue<Item, Outcome = void>(options: WorkQueueOptions<Item, Outcome>): WorkQueue<Item> {
  const { name, log, due, restMs = 0, notifier, claim, acquireSlot, run, describe } = options;
  const ended: Ended<Item, Outcome>[] = [];
  let inFlight = 0;
  let isDraining = false;
  let idle = Promise.withResolvers<void>();

  async function step(): Promise<boolean> {
    if (isDraining && ended.length === 0) return false;
    const batch = ended.splice(0, SETTLED_AT_ONCE);
    try {
      const outcomes = batch.map(({ outcome }) => outcome);
      const hasMore = await claim(startItems, { outcomes, isSettlingOnly: isDraining });
      if (ended.length > 0) loop.wake();
      return hasMore || ended.length >= settledTogether();
    } catch (error) {
      await keepOutcomes(batch, error);
      throw error;
    }
  }

  function settledTogether(): number {
    return restMs === 0 || isDraining ? 1 : SETTLED_WITHOUT_REST;
  }

  /** In slices: a hundred items started in one go would delay the next statement to the database. */
  function startItems(items: readonly Item[]): void {
    const started = items.map((item) => ({ item, release: acquireSlot(item) }));
    inFlight += items.length;
    void (async () => {
      for (const [index, { item, release }] of started.entries()) {
        if (index > 0 && index % STARTED_AT_ONCE === 0) await nextEventLoopTick();
        void runItem(item, release);
      }
    })();
  }

  async function runItem(item: Item, release: () => void): Promise<void> {
    let hasFailed = false;
    try {
      const outcome = await run(item);
      if (outcome !== undefined) ended.push({ item, outcome });
    } catch (error) {
      hasFailed = !(error instanceof ClaimLost);
      if (hasFailed) log.warn({ err: error, queue: name, ...describe(item) }, 'a queued item could not be settled yet');
    }
    release();
    inFlight -= 1;
    if (inFlight === 0) idle.resolve();
    if (hasFailed) setTimeout(loop.wake, PAUSE_AFTER_FAILURE_MS).unref();
    else loop.wake();
  }

  /** Until the database is back. If this process dies first, the leases end and another process takes the items over. */
  async function keepOutcomes(batch: Ended<Item, Outcome>[], error: unknown): Promise<void> {
    const { kind } = classifyDatabaseError(error);
    if (kind === 'unavailable' || kind === 'retry') ended.unshift(...batch);
    else await settleOneByOne(batch);
  }

  /** One outcome that cannot be written must not block the others. Its item's lease ends, and the item runs again. */
  async function settleOneByOne(batch: Ended<Item, Outcome>[]): Promise<void> {
    for (const { item, outcome } of batch) {
      await claim(startItems, { outcomes: [outcome], isSettlingOnly: true }).catch((error: unknown) =>
        log.error({ err: error, queue: name, ...describe(item) }, 'the outcome of a queued item cannot be written'),
      );
    }
  }

  async function allEnded(): Promise<void> {
    while (inFlight > 0) {
      idle = Promise.withResolvers();
      await idle.promise;
    }
  }

  const loop = createSteadyLoop({ name, log, everyMs: IDLE_LOOP_MS, due, restMs, step });
  let stopListening: (() => void) | undefined;

  return {
    wake: loop.wake,
    run: startItems,
    inFlight: () => inFlight,
    unsettled: () => ended.length,
    start() {
      stopListening = notifier?.onNotify(loop.wake);
      loop.start();
    },
    async stop() {
      stopListening?.();
      isDraining = true;
      await allEnded();
      await loop.stop();
      // A step that was running when the drain began may have started the last items.
      await allEnded();
      while (await step().catch(() => false)) {}
    },
  };
}
