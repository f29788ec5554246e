/**
 * The same items, each next one begun while the last is in use: what waits for a server and what waits for a thread are done
 * side by side. Never more than one ahead. Who stops early waits for the one that was begun, so that nothing of it is left.
 */
export async function* prefetch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let next = begin(iterator);
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = begin(iterator);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}

function begin<T>(iterator: AsyncIterator<T, void>): Promise<IteratorResult<T, void>> {
  const begun = iterator.next();
  // Its failure is heard when its turn comes; until then it must not end the process as one that nobody awaits.
  begun.catch(() => undefined);
  return begun;
}
