/** Who works: a tenant, and the one of its targets that the work is for. */
export type Worker = { tenantId: string; targetId: string };

export type ConcurrencyCaps = {
  /** How many more this one may start now. */
  freeFor(worker: Worker): number;
  /** Counts one as started; the function counts it as ended. */
  start(worker: Worker): () => void;
  running(): number;
};

/**
 * How much may run at once: in all, per tenant and per target. The last `reserved` places are for tenants with fewer than
 * `fewPerTenant` running, so that a handful of tenants whose targets hang leaves room for the others. Nothing waits here: work
 * stays in its queue until there is room.
 */
export function createConcurrencyCaps(caps: {
  total: number;
  perTenant: number;
  perTarget: number;
  reserved: number;
  fewPerTenant: number;
}): ConcurrencyCaps {
  const tenants = new Map<string, number>();
  const targets = new Map<string, number>();
  let total = 0;

  return {
    freeFor({ tenantId, targetId }) {
      const ofTenant = tenants.get(tenantId) ?? 0;
      const limit = ofTenant < caps.fewPerTenant ? caps.total : caps.total - caps.reserved;
      const free = Math.min(
        limit - total,
        caps.perTenant - ofTenant,
        caps.perTarget - (targets.get(targetId) ?? 0),
        // Those that would leave the few are judged by the other limit, one at a time.
        ofTenant < caps.fewPerTenant ? caps.fewPerTenant - ofTenant : Number.POSITIVE_INFINITY,
      );
      return Math.max(0, free);
    },
    start({ tenantId, targetId }) {
      change(tenantId, targetId, 1);
      let isRunning = true;
      return () => {
        if (isRunning) change(tenantId, targetId, -1);
        isRunning = false;
      };
    },
    running: () => total,
  };

  function change(tenantId: string, targetId: string, by: 1 | -1): void {
    total += by;
    add(tenants, tenantId, by);
    add(targets, targetId, by);
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
