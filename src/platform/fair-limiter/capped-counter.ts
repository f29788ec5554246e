/** What a slot counts for. Without a tenant no per-tenant cap applies. */
export type SlotKey<Class extends string = string> = {
  tenant?: string | undefined;
  /** One of the tenant's targets, such as an install. Ids are unique across tenants. */
  target?: string;
  /** A host that targets of several tenants share. */
  host?: string;
  /** Priority class, where the limiter has classes. */
  class?: Class;
};

export type Caps = {
  maxConcurrent?: number;
  maxConcurrentPerTenant?: number;
  maxConcurrentPerTarget?: number;
  maxConcurrentPerHost?: number;
  /** The last `slots` are only for tenants with fewer than `fewerThan` running: a few tenants with slow targets leave capacity for the others. */
  reserved?: { slots: number; fewerThan: number };
};

export type ClassCaps<Class extends string> = Readonly<Record<Class, Caps>>;

export type Limit = 'tenant limit' | 'total limit';

/** Returns the slot. Further calls have no effect. */
export type Release = () => void;

export type CappedCounter<Class extends string = string> = {
  /** How many more this key may take now. With `reserved`, a tenant below `fewerThan` gets at most the difference. */
  available(key: SlotKey<Class>): number;
  /** The limit that `amount` more would exceed. A target's and a host's limit count as its tenant's. */
  limitReached(key: SlotKey<Class>, amount?: number): Limit | undefined;
  tryTake(key: SlotKey<Class>, amount?: number): Limit | undefined;
  /** Counts without a check. */
  take(key: SlotKey<Class>, amount?: number): void;
  give(key: SlotKey<Class>, amount?: number): void;
  /** Counts one without a check, until the returned function is called. */
  hold(key: SlotKey<Class>): Release;
  total(): number;
  totalOf(priorityClass: Class): number;
};

/** Changed in place: a second look-up to store a number would double the cost. */
type Count = { value: number };

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Counts what is in use, in total and by tenant, target and host, against caps for each. Amounts may be slots or bytes. */
export function createCappedCounter<Class extends string = string>(
  caps: Caps & { classes?: ClassCaps<Class> },
  onRelease: () => void = () => undefined,
): CappedCounter<Class> {
  const { maxConcurrent = UNLIMITED, maxConcurrentPerTenant = UNLIMITED } = caps;
  const { maxConcurrentPerTarget = UNLIMITED, maxConcurrentPerHost = UNLIMITED } = caps;
  const { slots: reservedSlots, fewerThan } = caps.reserved ?? { slots: 0, fewerThan: 0 };
  const tenants = new Map<string, Count>();
  const targets = new Map<string, Count>();
  const hosts = new Map<string, Count>();
  const classes = countersOf(caps.classes);
  let total = 0;

  function availableToTenant({ tenant, target, host }: SlotKey<Class>): number {
    let free = UNLIMITED;
    if (tenant !== undefined) free = maxConcurrentPerTenant - countOf(tenants, tenant);
    if (target !== undefined) free = Math.min(free, maxConcurrentPerTarget - countOf(targets, target));
    if (host !== undefined) free = Math.min(free, maxConcurrentPerHost - countOf(hosts, host));
    return free;
  }

  function available(key: SlotKey<Class>): number {
    let free = Math.min(availableToTenant(key), maxConcurrent - total);
    if (reservedSlots > 0) {
      const ofTenant = key.tenant === undefined ? UNLIMITED : countOf(tenants, key.tenant);
      free = Math.min(free, ofTenant < fewerThan ? fewerThan - ofTenant : maxConcurrent - reservedSlots - total);
    }
    const ofClass = key.class === undefined ? undefined : classes?.[key.class];
    if (ofClass !== undefined) free = Math.min(free, ofClass.available(key));
    return Math.max(0, free);
  }

  function limitReached(key: SlotKey<Class>, amount = 1): Limit | undefined {
    if (amount <= available(key)) return undefined;
    return amount > availableToTenant(key) ? 'tenant limit' : 'total limit';
  }

  function change(key: SlotKey<Class>, by: number): void {
    total += by;
    if (key.tenant !== undefined) add(tenants, key.tenant, by);
    if (key.target !== undefined) add(targets, key.target, by);
    if (key.host !== undefined) add(hosts, key.host, by);
    if (key.class !== undefined) classes?.[key.class]?.take(key, by);
  }

  return {
    available,
    limitReached,
    tryTake(key, amount = 1) {
      const limit = limitReached(key, amount);
      if (limit === undefined) change(key, amount);
      return limit;
    },
    take: (key, amount = 1) => change(key, amount),
    give: (key, amount = 1) => change(key, -amount),
    hold(key) {
      change(key, 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        change(key, -1);
        onRelease();
      };
    },
    total: () => total,
    totalOf: (priorityClass) => classes?.[priorityClass]?.total() ?? 0,
  };
}

/** A class with caps of its own is a counter within the counter; one without is not counted again. */
function countersOf<Class extends string>(classes: ClassCaps<Class> | undefined) {
  if (classes === undefined) return undefined;
  const capped = Object.entries<Caps>(classes).filter(([, caps]) => Object.keys(caps).length > 0);
  return Object.fromEntries(capped.map(([name, caps]) => [name, createCappedCounter(caps)])) as {
    [Name in Class]?: CappedCounter;
  };
}

function countOf(counts: Map<string, Count>, key: string): number {
  const count = counts.get(key);
  return count === undefined ? 0 : count.value;
}

function add(counts: Map<string, Count>, key: string, by: number): void {
  const count = counts.get(key);
  if (count === undefined) counts.set(key, { value: by });
  else {
    count.value += by;
    if (count.value <= 0) counts.delete(key);
  }
}
