const KB = 1024;
const MB = 1024 * KB;

/** How much of the service the readers of the feed may take. Numbers are for each process. */
export type FeedSettings = {
  streamsPerTenant: number;
  streams: number;
  pollsPerTenant: number;
  polls: number;
  /** Reads that a tenant's requests may have under way at once, and how long one waits for its turn. */
  readsPerTenant: number;
  readPatienceMs: number;
  /** Reads that are made once for all of a tenant's streams and polls: so many tenants at once. */
  sharedReads: number;
  /** Bodies of a page. An order has at most 256 kB, so 500 of them would be 128 MB. */
  pageBytes: number;
  /** What a stream has in hand at once, beside what is in its socket. */
  streamBytes: number;
  /** Cached events of all tenants together. */
  keptBytesPerTenant: number;
  keptBytes: number;
  /** Proxies cut connections that are silent for a minute. */
  heartbeatMs: number;
  /** A stream whose reader takes nothing for so long is ended. */
  stalledReaderMs: number;
  /** Readers that are woken in one turn of the event loop. */
  readersAtOnce: number;
  /** After a delivery a tenant with more readers than that rests this long for each of them, up to the longest pause. */
  pausePerReaderMs: number;
  longestPauseMs: number;
  /** Written to streams and not yet taken by their clients; past it the slowest readers are closed. */
  unsentBytesPerTenant: number;
  unsentBytes: number;
  /** Notifications may get lost: waiting readers trigger a read when the last one is older than this. */
  refreshAfterMs: number;
};

export const FEED_SETTINGS: FeedSettings = {
  streamsPerTenant: 100,
  streams: 2_000,
  pollsPerTenant: 100,
  polls: 2_000,
  readsPerTenant: 4,
  readPatienceMs: 10_000,
  sharedReads: 4,
  pageBytes: 4 * MB,
  streamBytes: 256 * KB,
  keptBytesPerTenant: 4 * MB,
  keptBytes: 64 * MB,
  heartbeatMs: 15_000,
  stalledReaderMs: 60_000,
  readersAtOnce: 16,
  pausePerReaderMs: 1,
  longestPauseMs: 100,
  unsentBytesPerTenant: 8 * MB,
  unsentBytes: 64 * MB,
  refreshAfterMs: 5_000,
};
