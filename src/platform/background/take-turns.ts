export type Turns<Item> = {
  add(tenant: string, item: Item): void;
  waitingOf(tenant: string): { count: number; bytes: number };
  waitingBytes(): number;
  /** The next to be served: of every tenant in turn one, each tenant's own first come first. At least one if any waits. */
  take(maxItems: number, maxBytes: number): Item[];
};

type Line<Item> = { items: Item[]; bytes: number };

/** A line for each tenant. Who was served last in one batch comes first in none of the next before all others were. */
export function createTurns<Item extends { bytes: number }>(): Turns<Item> {
  // In the order of their turns: a tenant that was served goes to the end.
  const lines = new Map<string, Line<Item>>();
  let total = 0;

  function takeNext(room: number): Item | undefined {
    const [next] = lines;
    if (next === undefined) return undefined;
    const [tenant, line] = next;
    const [first] = line.items;
    if (first === undefined || first.bytes > room) return undefined;
    line.items.shift();
    line.bytes -= first.bytes;
    total -= first.bytes;
    lines.delete(tenant);
    if (line.items.length > 0) lines.set(tenant, line);
    return first;
  }

  return {
    add(tenant, item) {
      const line = lines.get(tenant) ?? { items: [], bytes: 0 };
      line.items.push(item);
      line.bytes += item.bytes;
      total += item.bytes;
      lines.set(tenant, line);
    },
    waitingOf(tenant) {
      const line = lines.get(tenant);
      return { count: line?.items.length ?? 0, bytes: line?.bytes ?? 0 };
    },
    waitingBytes: () => total,
    take(maxItems, maxBytes) {
      const taken: Item[] = [];
      let room = maxBytes;
      while (taken.length < maxItems) {
        const item = takeNext(taken.length === 0 ? Number.POSITIVE_INFINITY : room);
        if (item === undefined) break;
        taken.push(item);
        room -= item.bytes;
      }
      return taken;
    },
  };
}
