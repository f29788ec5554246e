/**
 * Yields the same items and requests the next one while the current one is in use, so that waiting for the database and for
 * the consumer overlap. Never more than one item ahead. A consumer that stops early waits for the pending item.
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
  // A rejection is thrown when the item is consumed; until then it must not count as unhandled.
  begun.catch(() => undefined);
  return begun;
}
