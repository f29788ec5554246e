import {
  type Caps,
  type ClassCaps,
  createCappedCounter,
  type Limit,
  type Release,
  type SlotKey,
} from './capped-counter.ts';

export type FairLimiterOptions<Class extends string> = Caps & {
  /** Highest priority first: within a tenant, waiters of an earlier class are served before those of a later one. */
  classes?: ClassCaps<Class>;
  maxQueued?: number;
  maxQueuedPerTenant?: number;
  /** Of one target, or of one class of a tenant. */
  maxQueuedPerSubqueue?: number;
  maxWaitMs?: number;
  /** A waiter with less time left than this is refused when its turn comes: it could not finish its work. */
  minRemainingMs?: number;
  /** When `maxQueued` is reached, the last waiter of the tenant with the longest queue is refused in favour of a tenant with a shorter one. */
  displacesLongestQueue?: boolean;
};

export type Refusal = Limit | 'queue full' | 'timed out';

export type FairLimiter<Class extends string = string> = {
  /** A slot, or the limit that was reached. Never queues. */
  tryAcquire(key: SlotKey<Class>): Release | Limit;
  /** Synchronous when a slot is free or the queue is full; otherwise a promise. Never rejects: the caller chooses the error. */
  acquire(key: SlotKey<Class>, maxWaitMs?: number): Release | Refusal | Promise<Release | Refusal>;
  run<T>(key: SlotKey<Class>, work: () => Promise<T>, toError: (refusal: Refusal) => Error): Promise<T>;
  limitReached(key: SlotKey<Class>): Limit | undefined;
  stats(): { running: number; queued: number };
  runningOf(priorityClass: Class): number;
};

type Waiter<Class extends string> = {
  key: SlotKey<Class>;
  deadlineMs: number;
  settle(outcome: Release | Refusal): void;
  queue: TenantQueue<Class>;
  subqueue: Waiter<Class>[];
};
/** By target, or by class. */
type TenantQueue<Class extends string> = { size: number; subqueues: Map<string, Waiter<Class>[]> };

const UNLIMITED = Number.POSITIVE_INFINITY;
const SWEEP_EVERY_MS = 250;

/**
 * Limits concurrent work and queues the rest. Tenants in the queue are served round-robin, regardless of how many waiters each
 * has, and so are the targets of a tenant. Expired waiters are removed by one interval: a timer for each waiter would cost more
 * than the wait. A waiter can therefore be refused up to 250 ms late.
 */
export function createFairLimiter<Class extends string = string>(
  options: FairLimiterOptions<Class>,
): FairLimiter<Class> {
  const { maxQueued = UNLIMITED, maxQueuedPerTenant = UNLIMITED, maxQueuedPerSubqueue = UNLIMITED } = options;
  const { maxConcurrent = UNLIMITED, minRemainingMs = 0, displacesLongestQueue = false } = options;
  const counter = createCappedCounter<Class>(options, serveQueue);
  const classNames = Object.keys(options.classes ?? {});
  // A Map iterates in insertion order: a tenant that was served is inserted again, at the end.
  const queues = new Map<string | undefined, TenantQueue<Class>>();
  let queued = 0;
  let sweeper: NodeJS.Timeout | undefined;

  function serveQueue(): void {
    while (queued > 0 && counter.total() < maxConcurrent) {
      const next = nextWaiter();
      if (next === undefined) return;
      dequeue(next);
      rotate(next);
      const isLate = next.deadlineMs - performance.now() < minRemainingMs;
      next.settle(isLate ? 'timed out' : counter.hold(next.key));
    }
  }

  function nextWaiter(): Waiter<Class> | undefined {
    for (const { subqueues } of queues.values()) {
      for (const waiters of subqueues.values()) {
        const first = waiters[0];
        if (first !== undefined && counter.limitReached(first.key) === undefined) return first;
      }
    }
    return undefined;
  }

  /** To the end of the round, its tenant and its target. Classes stay in order of priority. */
  function rotate({ key: { tenant, target }, queue, subqueue }: Waiter<Class>): void {
    if (queue.size > 0) moveToEnd(queues, tenant, queue);
    if (target !== undefined && subqueue.length > 0) moveToEnd(queue.subqueues, target, subqueue);
  }

  function enqueue(key: SlotKey<Class>, deadlineMs: number, settle: Waiter<Class>['settle']): void {
    const name = subqueueOf(key);
    const queue = queues.get(key.tenant) ?? { size: 0, subqueues: new Map(classNames.map((one) => [one, []])) };
    const subqueue = queue.subqueues.get(name) ?? [];
    queues.set(key.tenant, queue);
    queue.subqueues.set(name, subqueue);
    subqueue.push({ key, deadlineMs, settle, queue, subqueue });
    queue.size += 1;
    queued += 1;
  }

  function dequeue(waiter: Waiter<Class>): void {
    const { key, queue, subqueue } = waiter;
    if (subqueue[0] === waiter) subqueue.shift();
    else subqueue.splice(subqueue.indexOf(waiter), 1);
    if (subqueue.length === 0 && key.target !== undefined) queue.subqueues.delete(key.target);
    queue.size -= 1;
    queued -= 1;
    if (queue.size === 0) queues.delete(key.tenant);
  }

  function refuse(waiter: Waiter<Class>, refusal: Refusal): void {
    dequeue(waiter);
    waiter.settle(refusal);
  }

  function hasQueueCapacity(key: SlotKey<Class>): boolean {
    const own = queues.get(key.tenant);
    const ownSize = own?.size ?? 0;
    const subqueueSize = own?.subqueues.get(subqueueOf(key))?.length ?? 0;
    const isOverShare = ownSize >= maxQueuedPerTenant || subqueueSize >= maxQueuedPerSubqueue;
    if (isOverShare && key.tenant !== undefined) return false;
    return queued < maxQueued || (displacesLongestQueue && displaceLongest(ownSize));
  }

  function displaceLongest(ownSize: number): boolean {
    const longest = [...queues.values()].reduce((most, queue) => (queue.size > most.size ? queue : most));
    const last = [...longest.subqueues.values()].findLast((waiters) => waiters.length > 0)?.at(-1);
    if (last === undefined || longest.size <= ownSize + 1) return false;
    refuse(last, 'queue full');
    return true;
  }

  function sweep(): void {
    const limitMs = performance.now() + minRemainingMs;
    const waiters = [...queues.values()].flatMap(({ subqueues }) => [...subqueues.values()].flat());
    for (const waiter of waiters) if (waiter.deadlineMs <= limitMs) refuse(waiter, 'timed out');
    serveQueue();
    if (queued > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function hasWaiters(key: SlotKey<Class>): boolean {
    return queued > 0 && (queues.get(key.tenant)?.subqueues.get(subqueueOf(key))?.length ?? 0) > 0;
  }

  function acquire(key: SlotKey<Class>, maxWaitMs = options.maxWaitMs ?? UNLIMITED) {
    if (!hasWaiters(key) && counter.limitReached(key) === undefined) return counter.hold(key);
    if (!hasQueueCapacity(key)) return 'queue full';
    if (maxWaitMs < UNLIMITED) sweeper ??= setInterval(sweep, Math.min(maxWaitMs, SWEEP_EVERY_MS)).unref();
    return new Promise<Release | Refusal>((settle) => enqueue(key, performance.now() + maxWaitMs, settle));
  }

  return {
    tryAcquire: (key) => counter.limitReached(key) ?? counter.hold(key),
    acquire,
    async run(key, work, toError) {
      const outcome = acquire(key);
      const release = outcome instanceof Promise ? await outcome : outcome;
      if (typeof release === 'string') throw toError(release);
      try {
        return await work();
      } finally {
        release();
      }
    },
    limitReached: (key) => counter.limitReached(key),
    stats: () => ({ running: counter.total(), queued }),
    runningOf: counter.totalOf,
  };
}

function subqueueOf({ target, class: priorityClass }: SlotKey): string {
  return priorityClass ?? target ?? '';
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
