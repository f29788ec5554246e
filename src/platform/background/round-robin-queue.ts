export type RoundRobinQueue<Item> = {
  add(tenant: string, item: Item): void;
  queuedOf(tenant: string): { count: number; bytes: number };
  queuedBytes(): number;
  /** The next batch: one item of every tenant in turn, each tenant's own in order of arrival. At least one if any is queued. */
  take(maxItems: number, maxBytes: number): Item[];
};

type TenantQueue<Item> = { items: Item[]; bytes: number };

/** One queue per tenant. The tenant that was served last is served again only after all others. */
export function createRoundRobinQueue<Item extends { bytes: number }>(): RoundRobinQueue<Item> {
  // A Map iterates in insertion order: a tenant that was served is inserted again, at the end.
  const queues = new Map<string, TenantQueue<Item>>();
  let total = 0;

  function takeNext(maxBytes: number): Item | undefined {
    const [next] = queues;
    if (next === undefined) return undefined;
    const [tenant, queue] = next;
    const [first] = queue.items;
    if (first === undefined || first.bytes > maxBytes) return undefined;
    queue.items.shift();
    queue.bytes -= first.bytes;
    total -= first.bytes;
    queues.delete(tenant);
    if (queue.items.length > 0) queues.set(tenant, queue);
    return first;
  }

  return {
    add(tenant, item) {
      const queue = queues.get(tenant) ?? { items: [], bytes: 0 };
      queue.items.push(item);
      queue.bytes += item.bytes;
      total += item.bytes;
      queues.set(tenant, queue);
    },
    queuedOf(tenant) {
      const queue = queues.get(tenant);
      return { count: queue?.items.length ?? 0, bytes: queue?.bytes ?? 0 };
    },
    queuedBytes: () => total,
    take(maxItems, maxBytes) {
      const taken: Item[] = [];
      let bytesLeft = maxBytes;
      while (taken.length < maxItems) {
        const item = takeNext(taken.length === 0 ? Number.POSITIVE_INFINITY : bytesLeft);
        if (item === undefined) break;
        taken.push(item);
        bytesLeft -= item.bytes;
      }
      return taken;
    },
  };
}
