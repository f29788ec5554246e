export type TenantCacheLimits = { maxBytes: number; maxBytesPerTenant: number };

/** What the objects around a value take. */
const ENTRY_BYTES = 400;

type Entry<Value> = { value: Value; bytes: number };
type Entries<Value> = { bytes: number; byKey: Map<string, Entry<Value>> };

/**
 * A cache that is limited in bytes, for each tenant and in total. A tenant that exceeds its share starts again with nothing; past the
 * total, the tenants that have not read for longest are dropped. Eviction entry by entry would cost two map operations for each read.
 */
export function createTenantCache<Value>(limits: TenantCacheLimits) {
  const tenants = new Map<string, Entries<Value>>();
  let totalBytes = 0;

  function drop(tenant: string): void {
    totalBytes -= tenants.get(tenant)?.bytes ?? 0;
    tenants.delete(tenant);
  }

  function touch(tenant: string, entries: Entries<Value>): void {
    tenants.delete(tenant);
    tenants.set(tenant, entries);
  }

  return {
    /** Whether the tenant has entries. Counts as reading them. */
    touch(tenant: string): boolean {
      const entries = tenants.get(tenant);
      if (entries !== undefined) touch(tenant, entries);
      return entries !== undefined;
    },
    get: (tenant: string, key: string): Value | undefined => tenants.get(tenant)?.byKey.get(key)?.value,
    set(tenant: string, key: string, value: Value, valueBytes: number): void {
      const entries = tenants.get(tenant) ?? { bytes: 0, byKey: new Map<string, Entry<Value>>() };
      touch(tenant, entries);
      const bytes = valueBytes + ENTRY_BYTES;
      const added = bytes - (entries.byKey.get(key)?.bytes ?? 0);
      entries.byKey.set(key, { value, bytes });
      entries.bytes += added;
      totalBytes += added;
      if (entries.bytes > limits.maxBytesPerTenant) drop(tenant);
      for (const oldest of tenants.keys()) {
        if (totalBytes <= limits.maxBytes) return;
        drop(oldest);
      }
    },
    bytes: () => totalBytes,
  };
}

export type TenantCache<Value> = ReturnType<typeof createTenantCache<Value>>;
