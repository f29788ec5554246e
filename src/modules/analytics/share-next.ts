type Lane<T> = { running: Promise<void>; next: Promise<T> | undefined };

/**
 * Who asks for the same while it is being read shares the next reading with all others that do: however many ask, one is
 * under way and one waits. Nobody gets one that began before they asked, so whoever has just written something sees it.
 */
export function createSharedReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const lanes = new Map<string, Lane<T>>();

  function begin(key: string, read: () => Promise<T>): Promise<T> {
    const reading = read();
    const lane: Lane<T> = {
      running: reading.then(
        () => undefined,
        () => undefined,
      ),
      next: undefined,
    };
    lanes.set(key, lane);
    void lane.running.then(() => {
      if (lane.next === undefined) lanes.delete(key);
    });
    return reading;
  }

  return (key, read) => {
    const lane = lanes.get(key);
    if (lane === undefined) return begin(key, read);
    lane.next ??= lane.running.then(() => begin(key, read));
    return lane.next;
  };
}
