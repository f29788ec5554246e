/** A value and the version of the tenant's sales that it includes. */
export type Versioned<T> = { version: number; value: T };

export type ReadCacheOptions = {
  maxEntries: number;
  maxCharacters: number;
  /** One tenant's maximum part of both, so that no tenant evicts the entries of others. */
  tenantShare: number;
};

type Entry = { tenant: string; stored: Versioned<unknown>; characters: number };

/**
 * LRU cache for sums over long ranges, valid until a sale in their range changes. A Map iterates in insertion order and a
 * hit is inserted again, so the first entry is the least recently used. Concurrent misses of one key share one read.
 */
export function createReadCache({ maxEntries, maxCharacters, tenantShare }: ReadCacheOptions) {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Versioned<unknown>>>();
  let characters = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    characters -= entry.characters;
  }

  function evict(tenant: string): void {
    const own = [...entries].filter(([, entry]) => entry.tenant === tenant);
    let ownCharacters = own.reduce((sum, [, entry]) => sum + entry.characters, 0);
    while (own.length > maxEntries * tenantShare || ownCharacters > maxCharacters * tenantShare) {
      const [oldest] = own.splice(0, 1);
      if (oldest === undefined) break;
      ownCharacters -= oldest[1].characters;
      remove(oldest[0]);
    }
    for (const key of entries.keys()) {
      if (entries.size <= maxEntries && characters <= maxCharacters) return;
      remove(key);
    }
  }

  async function load<T>(tenant: string, key: string, read: () => Promise<Versioned<T>>): Promise<Versioned<T>> {
    const stored = await read();
    remove(key);
    const size = JSON.stringify(stored.value).length;
    entries.set(key, { tenant, stored, characters: size });
    characters += size;
    evict(tenant);
    return stored;
  }

  return {
    /** The value as of `version` or later. `read` returns the version it has read. */
    async get<T>(tenant: string, name: string, version: number, read: () => Promise<Versioned<T>>): Promise<T> {
      const key = `${tenant} ${name}`;
      const hit = entries.get(key);
      if (hit !== undefined && hit.stored.version >= version) {
        entries.delete(key);
        entries.set(key, hit);
        return hit.stored.value as T;
      }
      for (;;) {
        const joined = loading.get(key);
        const pending = joined ?? load(tenant, key, read).finally(() => loading.delete(key));
        loading.set(key, pending);
        const { version: readVersion, value } = await pending;
        // A read that was already running may predate the change that this caller must see; its own read does not.
        if (joined === undefined || readVersion >= version) return value as T;
      }
    },
    figures: () => ({ entries: entries.size, characters }),
  };
}

export type ReadCache = ReturnType<typeof createReadCache>;
