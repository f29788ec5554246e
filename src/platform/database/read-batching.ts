import { refuseInsideTransaction, withoutTenant } from './tenant-context.ts';

export type BatchReads<Key, Row> = {
  /** One statement for all of these keys. Rows may come in any order; keys without a row are left out. */
  load: (keys: Key[]) => Promise<Row[]>;
  keyOf: (row: Row) => Key;
  /** A text that is the same for equal keys only. */
  textOf: (key: Key) => string;
  /** Keys per statement at most. */
  maxBatch: number;
  /** Statements in flight at most. */
  parallel: number;
};

type Waiting<Key, Row> = {
  key: Key;
  found: Promise<Row | undefined>;
  resolve: (row: Row | undefined) => void;
  reject: (cause: unknown) => void;
};

/**
 * Point reads that arrive while others are running share one statement. An idle reader sends at once. Only when `parallel` statements
 * are running do keys collect, and the next statement takes them in order of arrival. So batching adds no delay, and the cost of a
 * read falls with the load.
 *
 * A read joins only a statement that has not been sent: a running one may have read before the caller's own last write.
 */
export function batchReads<Key, Row>(options: BatchReads<Key, Row>): (key: Key) => Promise<Row | undefined> {
  const { load, keyOf, textOf, maxBatch, parallel } = options;
  const waiting = new Map<string, Waiting<Key, Row>>();
  let inFlight = 0;

  return (key) => {
    refuseInsideTransaction();
    const text = textOf(key);
    const joined = waiting.get(text);
    if (joined !== undefined) return joined.found;
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
    waiting.set(text, { key, found: promise, resolve, reject });
    if (inFlight < parallel) void withoutTenant(sendNext);
    return promise;
  };

  async function sendNext(): Promise<void> {
    inFlight += 1;
    const batch = takeBatch();
    try {
      const rows = await load(Array.from(batch.values(), (read) => read.key));
      for (const row of rows) {
        const text = textOf(keyOf(row));
        batch.get(text)?.resolve(row);
        batch.delete(text);
      }
      for (const read of batch.values()) read.resolve(undefined);
    } catch (cause) {
      for (const read of batch.values()) read.reject(cause);
    } finally {
      inFlight -= 1;
      if (waiting.size > 0) void sendNext();
    }
  }

  /** A Map iterates in insertion order, so it is the queue as well. */
  function takeBatch(): Map<string, Waiting<Key, Row>> {
    const batch = new Map<string, Waiting<Key, Row>>();
    for (const [text, read] of waiting) {
      if (batch.size === maxBatch) break;
      waiting.delete(text);
      batch.set(text, read);
    }
    return batch;
  }
}
