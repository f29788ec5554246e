type Flight<T> = { settled: Promise<void>; next: Promise<T> | undefined };

/**
 * Shares reads of the same key (single-flight): however many callers ask, at most one read runs and one more is queued.
 * A caller that arrives while one runs shares the queued one, never a read that began before it asked, so a caller that
 * has just committed a write sees it.
 */
export function createSharedReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Flight<T>>();

  function start(key: string, read: () => Promise<T>): Promise<T> {
    const result = read();
    const flight: Flight<T> = {
      settled: result.then(
        () => undefined,
        () => undefined,
      ),
      next: undefined,
    };
    flights.set(key, flight);
    void flight.settled.then(() => {
      if (flight.next === undefined) flights.delete(key);
    });
    return result;
  }

  return (key, read) => {
    const flight = flights.get(key);
    if (flight === undefined) return start(key, read);
    flight.next ??= flight.settled.then(() => start(key, read));
    return flight.next;
  };
}
