/**
 * Who may call a vendor now. A call that finds no room waits in line until its time is over; the line has a limit too. One
 * install, one organization and one vendor's host each have a share of the whole, and the last quarter is kept for organizations
 * with little under way, so that a few with slow vendors do not hold up everybody else.
 */
export type VendorSlots = {
  /** A function that gives the slot back, or nothing: there was no room in line, or none became free in time. */
  enter(caller: SlotCaller, timeoutMs: number): Promise<(() => void) | undefined>;
  stats(): { running: number; waiting: number };
};

export type SlotCaller = { organizationId: string; installId: string; host: string };

export type SlotLimits = {
  running: number;
  runningOfHost: number;
  runningOfOrganization: number;
  runningOfInstall: number;
  /** Kept for organizations with fewer than `fewOfOrganization` under way. */
  reserve: number;
  fewOfOrganization: number;
  waiting: number;
  waitingOfOrganization: number;
  waitingOfInstall: number;
};

/**
 * An answer may have 4 MB: 128 at once are half a gigabyte where every vendor is at its worst. Vendors allow about one call a
 * second and install (60 a minute at Zid and HungerStation), and most answer within one.
 */
const LIMITS: SlotLimits = {
  running: 128,
  runningOfHost: 64,
  runningOfOrganization: 16,
  runningOfInstall: 8,
  reserve: 32,
  fewOfOrganization: 4,
  waiting: 2000,
  waitingOfOrganization: 400,
  waitingOfInstall: 200,
};

/** Whoever is let in with less than this left would be cut off before a connection stands, and so does not call at all. */
const LEAST_LEFT_MS = 100;

type Waiter = SlotCaller & { begin(): void };

export function createVendorSlots(changes: Partial<SlotLimits> = {}): VendorSlots {
  const limits = { ...LIMITS, ...changes };
  const running = createCounts();
  const waiting = createCounts();
  // In the order of their turns: whoever was served goes to the end, of the organizations and of its own installs.
  const lines = new Map<string, Map<string, Set<Waiter>>>();

  function hasRoom({ organizationId, installId, host }: SlotCaller): boolean {
    const ofOrganization = running.ofOrganization(organizationId);
    const most = ofOrganization < limits.fewOfOrganization ? limits.running : limits.running - limits.reserve;
    return (
      running.total() < most &&
      ofOrganization < limits.runningOfOrganization &&
      running.ofInstall(installId) < limits.runningOfInstall &&
      running.ofHost(host) < limits.runningOfHost
    );
  }

  function take(caller: SlotCaller): () => void {
    running.add(caller, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      running.add(caller, -1);
      while (beginNext()) {}
    };
  }

  function beginNext(): boolean {
    for (const [organizationId, installs] of lines) {
      for (const [installId, line] of installs) {
        const [first] = line;
        if (first === undefined || !hasRoom(first)) continue;
        leave(first);
        moveToEnd(installs, installId);
        moveToEnd(lines, organizationId);
        first.begin();
        return true;
      }
    }
    return false;
  }

  function leave(waiter: Waiter): void {
    const installs = lines.get(waiter.organizationId);
    const line = installs?.get(waiter.installId);
    if (installs === undefined || line?.delete(waiter) !== true) return;
    waiting.add(waiter, -1);
    if (line.size === 0) installs.delete(waiter.installId);
    if (installs.size === 0) lines.delete(waiter.organizationId);
  }

  function join(waiter: Waiter): boolean {
    if (
      waiting.total() >= limits.waiting ||
      waiting.ofOrganization(waiter.organizationId) >= limits.waitingOfOrganization ||
      waiting.ofInstall(waiter.installId) >= limits.waitingOfInstall
    ) {
      return false;
    }
    waiting.add(waiter, 1);
    const installs = lines.get(waiter.organizationId) ?? new Map<string, Set<Waiter>>();
    lines.set(waiter.organizationId, installs);
    const line = installs.get(waiter.installId) ?? new Set();
    installs.set(waiter.installId, line);
    line.add(waiter);
    return true;
  }

  return {
    enter(caller, timeoutMs) {
      // Whoever is in line has been let in as soon as there was room for it, so a newcomer overtakes nobody of its own.
      if (waiting.ofInstall(caller.installId) === 0 && hasRoom(caller)) return Promise.resolve(take(caller));
      const overAtMs = performance.now() + timeoutMs;
      return new Promise((resolve) => {
        const waiter: Waiter = {
          ...caller,
          begin() {
            clearTimeout(timer);
            resolve(overAtMs - performance.now() < LEAST_LEFT_MS ? undefined : take(caller));
          },
        };
        const timer = setTimeout(() => {
          leave(waiter);
          resolve(undefined);
        }, timeoutMs);
        if (join(waiter)) return;
        clearTimeout(timer);
        resolve(undefined);
      });
    },
    stats: () => ({ running: running.total(), waiting: waiting.total() }),
  };
}

function createCounts() {
  const organizations = new Map<string, number>();
  const installs = new Map<string, number>();
  const hosts = new Map<string, number>();
  let total = 0;
  return {
    total: () => total,
    ofOrganization: (id: string) => organizations.get(id) ?? 0,
    ofInstall: (id: string) => installs.get(id) ?? 0,
    ofHost: (host: string) => hosts.get(host) ?? 0,
    add({ organizationId, installId, host }: SlotCaller, change: 1 | -1): void {
      total += change;
      count(organizations, organizationId, change);
      count(installs, installId, change);
      count(hosts, host, change);
    },
  };
}

function count(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const number = (counts.get(name) ?? 0) + change;
  if (number === 0) counts.delete(name);
  else counts.set(name, number);
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
