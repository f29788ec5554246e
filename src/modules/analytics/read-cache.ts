/** What was read, and up to which change of the tenant's sales it is right. */
export type Reading<T> = { version: number; value: T };

export type ReadCacheOptions = {
  maxReadings: number;
  maxCharacters: number;
  /** One tenant's part of both at most, so that none can have the others' forgotten. */
  tenantShare: number;
};

type Entry = { tenant: string; reading: Reading<unknown>; characters: number };

/**
 * Sums over long ranges, kept for as long as no sale of theirs changes. A Map keeps the order of insertion, and what is used
 * goes to its end: the first is the one to forget. Several who want the same wait for one reading of it.
 */
export function createReadCache({ maxReadings, maxCharacters, tenantShare }: ReadCacheOptions) {
  const entries = new Map<string, Entry>();
  const underWay = new Map<string, Promise<Reading<unknown>>>();
  let characters = 0;

  function forget(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    characters -= entry.characters;
  }

  function makeRoom(tenant: string): void {
    const own = [...entries].filter(([, entry]) => entry.tenant === tenant);
    let ownCharacters = own.reduce((sum, [, entry]) => sum + entry.characters, 0);
    while (own.length > maxReadings * tenantShare || ownCharacters > maxCharacters * tenantShare) {
      const [oldest] = own.splice(0, 1);
      if (oldest === undefined) break;
      ownCharacters -= oldest[1].characters;
      forget(oldest[0]);
    }
    for (const key of entries.keys()) {
      if (entries.size <= maxReadings && characters <= maxCharacters) return;
      forget(key);
    }
  }

  async function load<T>(tenant: string, key: string, read: () => Promise<Reading<T>>): Promise<Reading<T>> {
    const reading = await read();
    forget(key);
    const size = JSON.stringify(reading.value).length;
    entries.set(key, { tenant, reading, characters: size });
    characters += size;
    makeRoom(tenant);
    return reading;
  }

  return {
    /** As of `version` or later. `read` says itself what it is right up to. */
    async get<T>(tenant: string, name: string, version: number, read: () => Promise<Reading<T>>): Promise<T> {
      const key = `${tenant} ${name}`;
      const kept = entries.get(key);
      if (kept !== undefined && kept.reading.version >= version) {
        entries.delete(key);
        entries.set(key, kept);
        return kept.reading.value as T;
      }
      for (;;) {
        const joined = underWay.get(key);
        const reading = joined ?? load(tenant, key, read).finally(() => underWay.delete(key));
        underWay.set(key, reading);
        const { version: readVersion, value } = await reading;
        // One's own is right by definition; one that was under way may have looked before the change that matters here.
        if (joined === undefined || readVersion >= version) return value as T;
      }
    },
    figures: () => ({ readings: entries.size, characters }),
  };
}

export type ReadCache = ReturnType<typeof createReadCache>;
