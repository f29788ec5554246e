/**
 * Options of lru-cache for a limit in entries. Its own option `max` reserves all of them at once: for the seven caches of a service that remember
 * thousands, 10 ms of a core and 3 MB at each start. Entries are also added faster this way (1.1 us instead of 1.6).
 */
export const atMostEntries = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
