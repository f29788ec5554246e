/** Wakes the waiting readers of many tenants, a slice of one tenant at a time, with other work of the process in between. */
export type FanOut = {
  /** Resolves when all of them have been woken. Those of one owner are woken in order. */
  wake(owner: unknown, readers: Iterable<() => void>): Promise<void>;
};

type Queue = { readers: (() => void)[]; done: PromiseWithResolvers<void> };

/**
 * Each event loop tick serves one slice, round-robin by owner. A hundred streams woken together blocked the process for 5 to 10 ms
 * with every event.
 */
export function createFanOut(sliceSize: number): FanOut {
  const queues = new Map<unknown, Queue>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queues.size === 0) return;
    isScheduled = true;
    setImmediate(serveOne);
  }

  function serveOne(): void {
    isScheduled = false;
    const [next] = queues;
    if (next === undefined) return;
    const [owner, queue] = next;
    queues.delete(owner);
    for (const wake of queue.readers.splice(0, sliceSize)) wake();
    if (queue.readers.length > 0) queues.set(owner, queue);
    else queue.done.resolve();
    schedule();
  }

  return {
    wake(owner, readers) {
      const queue = queues.get(owner) ?? { readers: [], done: Promise.withResolvers<void>() };
      for (const reader of readers) queue.readers.push(reader);
      if (queue.readers.length === 0) return Promise.resolve();
      queues.set(owner, queue);
      schedule();
      return queue.done.promise;
    },
  };
}
